"""The studies that come with Casemate, as files."""
