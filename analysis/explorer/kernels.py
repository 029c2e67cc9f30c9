"""The kernels of the explorer, of which Voilà starts one for each page: only a few, each of some 150 MB.

``notebooks/voila.json`` says who is served: who has the token, under a name of this machine. A page that is closed asks
for the end of its kernel, but Voilà gives it no XSRF token for that, so none is wanted. Others are kept out by the
cookie, which the pages of other sites do not send, and by the Origin of their requests. Kernels that no page uses any
more end after some minutes.
"""

import asyncio
from typing import Any

from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from tornado.web import HTTPError

MOST = 4
"""Pages that may be open at a time."""


class FewKernels(AsyncMappingKernelManager):
    """A manager that starts no more kernels than a few."""

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)  # type: ignore[no-untyped-call]  # it has no annotations
        self._one_by_one = asyncio.Lock()  # one that starts is counted at some moment of its start

    async def start_kernel(self, **how: Any) -> str:  # type: ignore[override]  # as in the class itself
        """Start a kernel.

        Raises:
            HTTPError: If there are enough.
        """
        async with self._one_by_one:
            if len(self) >= MOST:
                raise HTTPError(503, f"{MOST} pages of the explorer are open; close one, or wait until it is forgotten")
            return await super().start_kernel(**how)
