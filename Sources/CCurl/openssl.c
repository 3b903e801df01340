#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ccurl.h"
#include "library.h"

struct session_info {
    int backend;
    void *internals;
};

static struct {
    const char *(*OpenSSL_version)(int);
    void *(*SSL_get0_verified_chain)(const void *);
    long (*SSL_get_verify_result)(const void *);
    int (*SSL_get_shutdown)(const void *);
    const char *(*SSL_get_version)(const void *);
    const void *(*SSL_get_current_cipher)(const void *);
    const char *(*SSL_CIPHER_get_name)(const void *);
    void *(*SSL_CTX_get_cert_store)(const void *);
    uint64_t (*SSL_CTX_clear_options)(void *, uint64_t);
    int (*X509_STORE_add_cert)(void *, void *);
    int (*OPENSSL_sk_num)(const void *);
    void *(*OPENSSL_sk_value)(const void *, int);
    void *(*d2i_X509)(void **, const unsigned char **, long);
    int (*i2d_X509)(const void *, unsigned char **);
    void (*X509_free)(void *);
    void *(*X509_get_X509_PUBKEY)(const void *);
    int (*i2d_X509_PUBKEY)(const void *, unsigned char **);
    void *(*X509_get_subject_name)(const void *);
    int (*X509_NAME_print_ex)(void *, const void *, int, unsigned long);
    const void *(*X509_get0_notBefore)(const void *);
    const void *(*X509_get0_notAfter)(const void *);
    int (*ASN1_TIME_to_tm)(const void *, struct tm *);
    unsigned char *(*SHA256)(const unsigned char *, size_t, unsigned char *);
    void *(*BIO_new)(const void *);
    const void *(*BIO_s_mem)(void);
    int (*BIO_read)(void *, void *, int);
    int (*BIO_free)(void *);
    void (*CRYPTO_free)(void *, const char *, int);
} ssl;

static const char *problem;
static char problem_text[256];

static void find(void **function, const char *name) {
    *function = dlsym(ccurl_library(), name);
    if (*function == NULL && problem == NULL) {
        snprintf(problem_text, sizeof problem_text, "libcurl's OpenSSL has no %s", name);
        problem = problem_text;
    }
}

#define FIND(name) find((void **)&ssl.name, #name)

// "OpenSSL 3.0.19 27 Jan 2026" and "OpenSSL/3.0.19" are the same library.
static int is_same_version(const char *own, const char *curls) {
    const char *prefix = "OpenSSL";
    size_t length = strlen(prefix);
    if (strncmp(own, prefix, length) != 0 || strncmp(curls, prefix, length) != 0) return 0;
    own += length + 1;
    curls += length + 1;
    size_t number = strcspn(own, " ");
    return number > 0 && strncmp(own, curls, number) == 0 && strcspn(curls, " -+") == number;
}

static void load(void) {
    const char *name = ccurl_tls_library();
    if (name == NULL || strncmp(name, "OpenSSL/", 8) != 0) {
        snprintf(problem_text, sizeof problem_text, "libcurl uses %s for TLS, not OpenSSL", name == NULL ? "nothing" : name);
        problem = problem_text;
        return;
    }
    FIND(OpenSSL_version);
    FIND(SSL_get0_verified_chain);
    FIND(SSL_get_verify_result);
    FIND(SSL_get_shutdown);
    FIND(SSL_get_version);
    FIND(SSL_get_current_cipher);
    FIND(SSL_CIPHER_get_name);
    FIND(SSL_CTX_get_cert_store);
    FIND(SSL_CTX_clear_options);
    FIND(X509_STORE_add_cert);
    FIND(OPENSSL_sk_num);
    FIND(OPENSSL_sk_value);
    FIND(d2i_X509);
    FIND(i2d_X509);
    FIND(X509_free);
    FIND(X509_get_X509_PUBKEY);
    FIND(i2d_X509_PUBKEY);
    FIND(X509_get_subject_name);
    FIND(X509_NAME_print_ex);
    FIND(X509_get0_notBefore);
    FIND(X509_get0_notAfter);
    FIND(ASN1_TIME_to_tm);
    FIND(SHA256);
    FIND(BIO_new);
    FIND(BIO_s_mem);
    FIND(BIO_read);
    FIND(BIO_free);
    FIND(CRYPTO_free);
    if (problem != NULL) return;
    if (!is_same_version(ssl.OpenSSL_version(0), name)) {
        snprintf(problem_text, sizeof problem_text, "libcurl says %s, and the library found is %s", name,
                 ssl.OpenSSL_version(0));
        problem = problem_text;
    }
}

const char *ccurl_openssl_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return problem;
}

void *ccurl_tls(void *easy) {
    // libcurl hands out a pointer to a structure of its own, as a string or a list would be.
    const struct session_info *session = (const void *)ccurl_easy_string(easy, CCURL_INFO_TLS_SSL_PTR);
    if (session == NULL || session->backend != CCURL_SSLBACKEND_OPENSSL) return NULL;
    return session->internals;
}

int ccurl_tls_has_ended(void *tls) {
    enum { RECEIVED = 2 };  // SSL_RECEIVED_SHUTDOWN
    return tls != NULL && (ssl.SSL_get_shutdown(tls) & RECEIVED) != 0;
}

const char *ccurl_tls_version(void *tls) { return tls == NULL ? NULL : ssl.SSL_get_version(tls); }

const char *ccurl_tls_cipher(void *tls) {
    const void *cipher = tls == NULL ? NULL : ssl.SSL_get_current_cipher(tls);
    return cipher == NULL ? NULL : ssl.SSL_CIPHER_get_name(cipher);
}

static void *verified_chain(void *tls) {
    enum { VERIFIED = 0 };  // X509_V_OK
    if (tls == NULL || ssl.SSL_get_verify_result(tls) != VERIFIED) return NULL;
    return ssl.SSL_get0_verified_chain(tls);
}

int ccurl_tls_chain_count(void *tls) {
    void *chain = verified_chain(tls);
    int count = chain == NULL ? 0 : ssl.OPENSSL_sk_num(chain);
    return count < 0 ? 0 : count;
}

static int64_t seconds(const void *time) {
    struct tm parts;
    memset(&parts, 0, sizeof parts);
    return ssl.ASN1_TIME_to_tm(time, &parts) == 1 ? (int64_t)timegm(&parts) : 0;
}

static char *subject(const void *certificate) {
    enum { LENGTH = 4096 };
    enum { RFC2253_IN_UTF8 = 0x1110317 & ~4 };  // XN_FLAG_RFC2253 without ASN1_STRFLGS_ESC_MSB: UTF-8 stays readable.
    void *text = ssl.BIO_new(ssl.BIO_s_mem());
    if (text == NULL) return NULL;
    char *name = calloc(1, LENGTH);
    if (name != NULL && ssl.X509_NAME_print_ex(text, ssl.X509_get_subject_name(certificate), 0, RFC2253_IN_UTF8) >= 0) {
        int length = ssl.BIO_read(text, name, LENGTH - 1);
        name[length < 0 ? 0 : length] = 0;
    }
    ssl.BIO_free(text);
    return name;
}

int ccurl_tls_chain_certificate(void *tls, int index, struct ccurl_certificate *certificate) {
    memset(certificate, 0, sizeof *certificate);
    void *chain = verified_chain(tls);
    void *one = chain == NULL ? NULL : ssl.OPENSSL_sk_value(chain, index);
    if (one == NULL) return 0;

    unsigned char *key = NULL;
    int key_length = ssl.i2d_X509_PUBKEY(ssl.X509_get_X509_PUBKEY(one), &key);
    if (key_length <= 0) return 0;
    ssl.SHA256(key, (size_t)key_length, certificate->key_sha256);
    ssl.CRYPTO_free(key, __FILE__, __LINE__);

    int length = ssl.i2d_X509(one, NULL);
    if (length <= 0 || (certificate->der = malloc((size_t)length)) == NULL) return 0;
    unsigned char *end = certificate->der;
    ssl.i2d_X509(one, &end);
    certificate->der_length = (size_t)length;
    certificate->not_before = seconds(ssl.X509_get0_notBefore(one));
    certificate->not_after = seconds(ssl.X509_get0_notAfter(one));
    certificate->subject = subject(one);
    return 1;
}

void ccurl_tls_free(void *pointer) { free(pointer); }

void ccurl_tls_require_end(void *tls_context) {
    enum { IGNORE_UNEXPECTED_EOF = 1 << 7 };  // SSL_OP_IGNORE_UNEXPECTED_EOF, new in OpenSSL 3; some versions of libcurl set it.
    ssl.SSL_CTX_clear_options(tls_context, IGNORE_UNEXPECTED_EOF);
}

int ccurl_tls_add_root(void *tls_context, const unsigned char *der, size_t length) {
    const unsigned char *bytes = der;
    void *certificate = ssl.d2i_X509(NULL, &bytes, (long)length);
    if (certificate == NULL) return 0;
    int added = ssl.X509_STORE_add_cert(ssl.SSL_CTX_get_cert_store(tls_context), certificate);
    ssl.X509_free(certificate);
    return added == 1;
}
