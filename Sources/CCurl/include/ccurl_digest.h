// The hash functions of the OpenSSL that libcurl stands on.

#ifndef CCURL_DIGEST_H
#define CCURL_DIGEST_H

#include <stddef.h>

#if defined(__cplusplus)
extern "C" {
#endif

/// Finds the hash functions behind libcurl, once; call ccurl_load() before.
///
/// Returns NULL if they can be used, else what is in the way.
const char *ccurl_digest_load(void);

/// A running hash.
struct ccurl_digest;

/// Begins a hash; the name is one of OpenSSL's: "MD5", "SHA256", "SHA512". NULL if it is not to be had: a system that keeps
/// to FIPS 140 refuses MD5.
struct ccurl_digest *ccurl_digest_new(const char *name);

/// A hash that goes on from the same point, or NULL.
struct ccurl_digest *ccurl_digest_copy(const struct ccurl_digest *digest);

/// Takes in more bytes. Returns 0 if that fails.
int ccurl_digest_update(struct ccurl_digest *digest, const void *bytes, size_t count);

/// Writes the hash, of 64 bytes at most, and returns its length; 0 if that fails. No more bytes can be taken in.
size_t ccurl_digest_finish(struct ccurl_digest *digest, unsigned char *hash);

void ccurl_digest_free(struct ccurl_digest *digest);

#if defined(__cplusplus)
}
#endif

#endif
