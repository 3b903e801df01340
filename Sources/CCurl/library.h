// What the files of this target share.

#ifndef CCURL_LIBRARY_H
#define CCURL_LIBRARY_H

/// The library that ccurl_load() opened.
void *ccurl_library(void);

/// What libcurl says it stands on for TLS, such as "OpenSSL/3.0.19"; NULL if it has none.
const char *ccurl_tls_library(void);

#endif
