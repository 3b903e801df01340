#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#include "ccurl_digest.h"
#include "library.h"

static struct {
    const void *(*EVP_get_digestbyname)(const char *);
    void *(*EVP_MD_CTX_new)(void);
    void (*EVP_MD_CTX_free)(void *);
    int (*EVP_MD_CTX_copy_ex)(void *, const void *);
    int (*EVP_DigestInit_ex)(void *, const void *, void *);
    int (*EVP_DigestUpdate)(void *, const void *, size_t);
    int (*EVP_DigestFinal_ex)(void *, unsigned char *, unsigned int *);
} evp;

static const char *problem;
static char problem_text[128];

static void find(void **function, const char *name) {
    *function = dlsym(ccurl_library(), name);
    if (*function == NULL && problem == NULL) {
        snprintf(problem_text, sizeof problem_text, "hashes come from OpenSSL, and what libcurl stands on has no %s", name);
        problem = problem_text;
    }
}

#define FIND(name) find((void **)&evp.name, #name)

static void load(void) {
    FIND(EVP_get_digestbyname);
    FIND(EVP_MD_CTX_new);
    FIND(EVP_MD_CTX_free);
    FIND(EVP_MD_CTX_copy_ex);
    FIND(EVP_DigestInit_ex);
    FIND(EVP_DigestUpdate);
    FIND(EVP_DigestFinal_ex);
}

const char *ccurl_digest_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return problem;
}

struct ccurl_digest *ccurl_digest_new(const char *name) {
    const void *kind = evp.EVP_get_digestbyname(name);
    void *digest = kind == NULL ? NULL : evp.EVP_MD_CTX_new();
    if (digest == NULL) return NULL;
    if (evp.EVP_DigestInit_ex(digest, kind, NULL) == 1) return digest;
    evp.EVP_MD_CTX_free(digest);
    return NULL;
}

struct ccurl_digest *ccurl_digest_copy(const struct ccurl_digest *digest) {
    void *copy = evp.EVP_MD_CTX_new();
    if (copy == NULL) return NULL;
    if (evp.EVP_MD_CTX_copy_ex(copy, digest) == 1) return copy;
    evp.EVP_MD_CTX_free(copy);
    return NULL;
}

int ccurl_digest_update(struct ccurl_digest *digest, const void *bytes, size_t count) {
    return evp.EVP_DigestUpdate(digest, bytes, count) == 1;
}

size_t ccurl_digest_finish(struct ccurl_digest *digest, unsigned char *hash) {
    unsigned int length = 0;
    return evp.EVP_DigestFinal_ex(digest, hash, &length) == 1 ? length : 0;
}

void ccurl_digest_free(struct ccurl_digest *digest) { evp.EVP_MD_CTX_free(digest); }
