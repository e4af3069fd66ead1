"""One way to compile a kernel: kept on disk where possible, free of the interpreter lock, the same everywhere.

numba keeps compiled kernels in NUMBA_CACHE_DIR if that is set, else beside the source, else in the user's
cache folder. Where none of these can be written (a read-only image), kernels are compiled anew in each process.
"""

import secrets
from collections.abc import Callable

import numba
from numba.core.caching import IndexDataCacheFile

# numba numbers the files of a cache from 1, anew for each version of the source, and writes the index before the file.
# If a process dies between the two, or another one on a shared disk takes the same number, the index leads to another
# kernel, which would run without a word. A name that never was cannot lead anywhere else.
IndexDataCacheFile._data_name = lambda self, number: self._data_name_pattern.format(number=secrets.randbits(62))


def compiled(**options) -> Callable[[Callable], Callable]:
    """Decorate a function to be compiled by numba; the options are those of `numba.njit`."""

    options = {"error_model": "numpy", **options}  # a division by zero gives infinity, which is looked for later

    def decorate(function: Callable) -> Callable:
        try:
            return numba.njit(nogil=True, cache=True, **options)(function)
        except RuntimeError:  # no folder for the cache can be written
            return numba.njit(nogil=True, **options)(function)

    return decorate
