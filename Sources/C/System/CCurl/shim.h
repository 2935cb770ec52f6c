#pragma once

/* The variadic calls below have typed arguments; curl's macro checks would prevent their import into Swift. */
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#include <stdbool.h>
#include <unistd.h>

/* Swift cannot call variadic C functions: one wrapper for each type of argument that is used. */

static inline CURLcode hr_curl_set_long(CURL *_Nonnull easy, CURLoption option, long value)
{
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode hr_curl_set_string(CURL *_Nonnull easy, CURLoption option, const char *_Nullable value)
{
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode hr_curl_set_pointer(CURL *_Nonnull easy, CURLoption option, void *_Nullable value)
{
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode hr_curl_set_list(CURL *_Nonnull easy, CURLoption option, struct curl_slist *_Nullable value)
{
    return curl_easy_setopt(easy, option, value);
}

/* The content of a file, which is copied. */
static inline CURLcode hr_curl_set_blob(CURL *_Nonnull easy, CURLoption option, const void *_Nullable bytes,
                                        size_t count)
{
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
    return curl_easy_setopt(easy, option, &blob);
}

/* The status of the proxy's response to CONNECT, or 0 if there is no response. */
static inline long hr_curl_connect_status(CURL *_Nonnull easy)
{
    long status = 0;
    return curl_easy_getinfo(easy, CURLINFO_HTTP_CONNECTCODE, &status) == CURLE_OK ? status : 0;
}

/* Whether libcurl's default file of certificate authorities can be read. */
static inline bool hr_curl_has_authority_file(CURL *_Nonnull easy)
{
    char *path = NULL;
    return curl_easy_getinfo(easy, CURLINFO_CAINFO, &path) == CURLE_OK && path != NULL && access(path, R_OK) == 0;
}

/* A body that is not copied. */
static inline CURLcode hr_curl_set_body(CURL *_Nonnull easy, const void *_Nullable bytes, size_t count)
{
    CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_POSTFIELDS, count == 0 ? "" : bytes) : code;
}

static inline CURLcode hr_curl_on_open_socket(CURL *_Nonnull easy, curl_opensocket_callback _Nonnull callback)
{
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callback);
}

static inline CURLcode hr_curl_on_header(CURL *_Nonnull easy, curl_write_callback _Nonnull callback)
{
    return curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, callback);
}

static inline CURLcode hr_curl_on_body(CURL *_Nonnull easy, curl_write_callback _Nonnull callback)
{
    return curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, callback);
}

static inline CURLMcode hr_curl_multi_set_long(CURLM *_Nonnull multi, CURLMoption option, long value)
{
    return curl_multi_setopt(multi, option, value);
}

/* Microseconds of a CURLINFO_…_TIME_T, or 0 while that stage has not been reached. */
static inline curl_off_t hr_curl_time(CURL *_Nonnull easy, CURLINFO info)
{
    curl_off_t microseconds = 0;
    return curl_easy_getinfo(easy, info, &microseconds) == CURLE_OK ? microseconds : 0;
}
