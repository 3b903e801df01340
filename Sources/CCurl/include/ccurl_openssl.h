// The few functions of OpenSSL that tell which chain of certificates was verified, add trust roots, and tell how TLS ended.
//
// They are looked up in the library that libcurl itself stands on; a process can hold two.

#ifndef CCURL_OPENSSL_H
#define CCURL_OPENSSL_H

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

/// Finds OpenSSL behind libcurl, once; call ccurl_load() before.
///
/// Returns NULL if it can be used, else what is in the way.
const char *ccurl_openssl_load(void);

/// The connection of a transfer (SSL *); NULL if it has none, or it is not OpenSSL's.
void *ccurl_tls(void *easy);

/// Whether the other side has said that nothing follows (close_notify).
int ccurl_tls_has_ended(void *tls);

/// Static texts: the version of TLS and the cipher suite. NULL if there are none.
const char *ccurl_tls_version(void *tls);
const char *ccurl_tls_cipher(void *tls);

/// How many certificates the verified chain has, the server's own first; 0 if nothing was verified.
int ccurl_tls_chain_count(void *tls);

/// A certificate of the verified chain.
struct ccurl_certificate {
    /// The whole certificate in DER; to be released with ccurl_tls_free().
    unsigned char *der;
    size_t der_length;
    unsigned char key_sha256[32];
    int64_t not_before;
    int64_t not_after;
    /// The distinguished name (RFC 4514); to be released with ccurl_tls_free().
    char *subject;
};

/// Copies a certificate of the verified chain. Returns 0 if it cannot be had.
int ccurl_tls_chain_certificate(void *tls, int index, struct ccurl_certificate *certificate);
void ccurl_tls_free(void *pointer);

/// Has the end of TCP told from the end of TLS: a body that only the end of the connection ends could be cut off otherwise
/// (RFC 9112, section 9.8).
void ccurl_tls_require_end(void *tls_context);

/// Adds a trust root to a context (SSL_CTX *). Returns 0 if it is no certificate.
int ccurl_tls_add_root(void *tls_context, const unsigned char *der, size_t length);

#if defined(__cplusplus)
}
#endif

#endif
