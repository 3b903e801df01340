// Compression by zlib, found at run time: libcurl stands on it nearly everywhere. The numbers and the structure are part of
// zlib's ABI; where its header is installed, gzip_assertions.c compares them.

#ifndef CCURL_GZIP_H
#define CCURL_GZIP_H

#include <stddef.h>

#if defined(__cplusplus)
extern "C" {
#endif

/// Loads zlib, once; later calls tell the first one's result.
///
/// Returns NULL if it can be used, else what is in the way.
const char *ccurl_gzip_load(void);

/// Takes the next bytes that are ready.
typedef void (*ccurl_gzip_sink)(void *context, const unsigned char *bytes, size_t count);

/// Compresses bytes into one member of RFC 1952, at a level from 0 to 9, and hands the result to the sink piece by piece.
///
/// Returns 0 if zlib fails: there is no memory, or the level is none. Call ccurl_gzip_load() before.
int ccurl_gzip(const unsigned char *bytes, size_t count, int level, ccurl_gzip_sink sink, void *context);

#if defined(__cplusplus)
}
#endif

#endif
