// Compares the constants of this target with libcurl's header, where that is installed. There is nothing here to run. With
// CCURL_REQUIRE_HEADER it has to be, so that a check that compares nothing is none.

#if defined(__has_include)
#if __has_include(<curl/curl.h>)

#define CURL_DISABLE_DEPRECATION
#include <curl/curl.h>

#include "ccurl.h"

#define CCURL_EQUAL(name, value) _Static_assert((long)CURL##name == (long)CCURL_##name, "CURL" #name);
#define CCURL_EQUAL_UNDERSCORE(name, value) _Static_assert((long)CURL_##name == (long)CCURL_##name, "CURL_" #name);

CCURL_NAMES(CCURL_EQUAL)
CCURL_UNDERSCORE_NAMES(CCURL_EQUAL_UNDERSCORE)
#if LIBCURL_VERSION_NUM >= 0x075000
CCURL_NAMES_OF_7_80(CCURL_EQUAL)
#endif
#if LIBCURL_VERSION_NUM >= 0x075700
CCURL_NAMES_OF_7_87(CCURL_EQUAL)
#endif

_Static_assert(CURLAUTH_BASIC == CCURL_AUTH_BASIC, "CURLAUTH_BASIC");
_Static_assert(CURL_ERROR_SIZE == CCURL_ERROR_SIZE, "CURL_ERROR_SIZE");
_Static_assert(sizeof(struct curl_slist) == sizeof(struct ccurl_list), "curl_slist");
_Static_assert(sizeof(curl_off_t) == sizeof(int64_t), "curl_off_t");
_Static_assert(sizeof(curl_socket_t) == sizeof(int), "curl_socket_t");

#elif defined(CCURL_REQUIRE_HEADER)
#error "install libcurl's headers: libcurl4-openssl-dev on Debian and Ubuntu"
#endif
#endif

// A file without a declaration is not C.
typedef int ccurl_assertions_are_compile_time;
