// Compares what this target says about zlib with zlib's header, where that is installed. There is nothing here to run. With
// CCURL_REQUIRE_HEADER it has to be, so that a check that compares nothing is none.

#if defined(__has_include)
#if __has_include(<zlib.h>)

#include <stddef.h>
#include <zlib.h>

#include "zlib_abi.h"

#define SAME_FIELD(name)                                                                                               \
    _Static_assert(offsetof(z_stream, name) == offsetof(struct zlib_stream, name), #name);                             \
    _Static_assert(sizeof(((z_stream *)0)->name) == sizeof(((struct zlib_stream *)0)->name), #name);

_Static_assert(sizeof(z_stream) == sizeof(struct zlib_stream), "z_stream");
SAME_FIELD(next_in)
SAME_FIELD(avail_in)
SAME_FIELD(total_in)
SAME_FIELD(next_out)
SAME_FIELD(avail_out)
SAME_FIELD(total_out)
SAME_FIELD(msg)
SAME_FIELD(state)
SAME_FIELD(zalloc)
SAME_FIELD(zfree)
SAME_FIELD(opaque)
SAME_FIELD(data_type)
SAME_FIELD(adler)
SAME_FIELD(reserved)
_Static_assert(ZLIB_OK == Z_OK, "Z_OK");
_Static_assert(ZLIB_STREAM_END == Z_STREAM_END, "Z_STREAM_END");
_Static_assert(ZLIB_NO_FLUSH == Z_NO_FLUSH, "Z_NO_FLUSH");
_Static_assert(ZLIB_FINISH == Z_FINISH, "Z_FINISH");
_Static_assert(ZLIB_DEFLATED == Z_DEFLATED, "Z_DEFLATED");
_Static_assert(ZLIB_DEFAULT_STRATEGY == Z_DEFAULT_STRATEGY, "Z_DEFAULT_STRATEGY");
_Static_assert(ZLIB_MAX_WINDOW_BITS == MAX_WBITS, "MAX_WBITS");

#elif defined(CCURL_REQUIRE_HEADER)
#error "install zlib's header: zlib1g-dev on Debian and Ubuntu"
#endif
#endif

// A file without a declaration is not C.
typedef int ccurl_gzip_assertions_are_compile_time;
