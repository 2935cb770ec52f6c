// strerror_r of the GNU C library.
#define _GNU_SOURCE
#include "CTLS.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The system's authorities on Debian, as in libcurl; OpenSSL's own folder is absent without the package openssl.
static const char SYSTEM_AUTHORITIES[] = "/etc/ssl/certs/ca-certificates.crt";

// maximum number of a certificate's names in an error
enum { MOST_NAMES = 8 };

struct hr_tls_context {
    SSL_CTX *context;
    // The path of the trusted authorities, for errors.
    char authorities[256];
};

struct hr_tls {
    SSL *session;
    // The name or the address that the server's certificate must contain.
    char host[256];
    char authorities[256];
    // The reason why the server's certificate is rejected; empty if it is accepted.
    char refusal[HR_TLS_ERROR_CAPACITY];
    // Whether the server requested a certificate that the client lacks.
    bool lacks_certificate;
};

// MARK: Files

// A file in a BIO, or NULL with a reason.
static BIO *contents(const char *path, char error[HR_TLS_ERROR_CAPACITY])
{
    // A pipe without a writer must not block.
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    BIO *result = NULL;
    if (file < 0 || fstat(file, &status) != 0) {
        char reason[128];
        snprintf(error, HR_TLS_ERROR_CAPACITY, "%.512s: %s", path, strerror_r(errno, reason, sizeof reason));
    } else if (!S_ISREG(status.st_mode) || status.st_size > HR_TLS_MOST_FILE_BYTES) {
        snprintf(error, HR_TLS_ERROR_CAPACITY, "%.512s: expected a file of at most %d bytes", path,
                 HR_TLS_MOST_FILE_BYTES);
    } else if ((result = BIO_new(BIO_s_mem())) == NULL) {
        snprintf(error, HR_TLS_ERROR_CAPACITY, "out of memory");
    } else {
        char bytes[8192];
        ssize_t count;
        size_t total = 0;
        // The file may grow while it is read.
        while ((count = read(file, bytes, sizeof bytes)) > 0 && (total += (size_t)count) <= HR_TLS_MOST_FILE_BYTES)
            BIO_write(result, bytes, (int)count);
        BIO_set_mem_eof_return(result, 0);
    }
    if (file >= 0)
        close(file);
    return result;
}

// Rejects encrypted keys, instead of asking for a passphrase on the terminal.
static int no_passphrase(char *buffer, int size, int writing, void *unused)
{
    (void)buffer, (void)size, (void)writing, (void)unused;
    return -1;
}

// Whether reading certificates stopped because of the end of the file.
static bool is_at_end(void)
{
    unsigned long last = ERR_peek_last_error();
    return ERR_GET_LIB(last) == ERR_LIB_PEM && ERR_GET_REASON(last) == PEM_R_NO_START_LINE;
}

static bool trust(SSL_CTX *context, const char *path, char error[HR_TLS_ERROR_CAPACITY])
{
    if (path == NULL) {
        if (SSL_CTX_load_verify_file(context, SYSTEM_AUTHORITIES) == 1 ||
            SSL_CTX_set_default_verify_paths(context) == 1)
            return true;
        snprintf(error, HR_TLS_ERROR_CAPACITY, "%s: expected certificates in PEM", SYSTEM_AUTHORITIES);
        return false;
    }
    BIO *input = contents(path, error);
    if (input == NULL)
        return false;
    X509_STORE *store = SSL_CTX_get_cert_store(context);
    int count = 0;
    bool is_good = true;
    X509 *authority;
    ERR_clear_error();
    while (is_good && (authority = PEM_read_bio_X509_AUX(input, NULL, no_passphrase, NULL)) != NULL) {
        is_good = X509_STORE_add_cert(store, authority) == 1;
        X509_free(authority);
        count += 1;
    }
    BIO_free(input);
    is_good = is_good && count > 0 && is_at_end();
    if (!is_good)
        snprintf(error, HR_TLS_ERROR_CAPACITY, "%.512s: expected certificates in PEM", path);
    return is_good;
}

static bool present(SSL_CTX *context, const char *path, char error[HR_TLS_ERROR_CAPACITY])
{
    BIO *input = contents(path, error);
    if (input == NULL)
        return false;
    X509 *certificate = PEM_read_bio_X509_AUX(input, NULL, no_passphrase, NULL);
    bool is_good = certificate != NULL && SSL_CTX_use_certificate(context, certificate) == 1;
    X509_free(certificate);
    X509 *intermediate;
    while (is_good && (intermediate = PEM_read_bio_X509(input, NULL, no_passphrase, NULL)) != NULL) {
        is_good = SSL_CTX_add0_chain_cert(context, intermediate) == 1;
        if (!is_good)
            X509_free(intermediate);
    }
    BIO_free(input);
    if (!is_good)
        snprintf(error, HR_TLS_ERROR_CAPACITY, "%.512s: expected a certificate in PEM", path);
    return is_good;
}

static bool identify(SSL_CTX *context, const char *path, char error[HR_TLS_ERROR_CAPACITY])
{
    BIO *input = contents(path, error);
    if (input == NULL)
        return false;
    EVP_PKEY *key = PEM_read_bio_PrivateKey(input, NULL, no_passphrase, NULL);
    BIO_free(input);
    bool is_good = false;
    if (key == NULL)
        snprintf(error, HR_TLS_ERROR_CAPACITY, "%.512s: expected a key in PEM without a passphrase", path);
    else if (SSL_CTX_use_PrivateKey(context, key) != 1 || SSL_CTX_check_private_key(context) != 1)
        snprintf(error, HR_TLS_ERROR_CAPACITY, "%.512s: expected the key of the client certificate", path);
    else
        is_good = true;
    EVP_PKEY_free(key);
    return is_good;
}

int hr_tls_key_matches(const void *certificate, size_t certificate_count, const void *key, size_t key_count)
{
    if (certificate_count > HR_TLS_MOST_FILE_BYTES || key_count > HR_TLS_MOST_FILE_BYTES)
        return 0;
    BIO *certificates = BIO_new_mem_buf(certificate, (int)certificate_count);
    BIO *keys = BIO_new_mem_buf(key, (int)key_count);
    X509 *first = certificates == NULL ? NULL : PEM_read_bio_X509_AUX(certificates, NULL, no_passphrase, NULL);
    EVP_PKEY *own = keys == NULL ? NULL : PEM_read_bio_PrivateKey(keys, NULL, no_passphrase, NULL);
    int matches = first != NULL && own != NULL && X509_check_private_key(first, own) == 1;
    X509_free(first);
    EVP_PKEY_free(own);
    BIO_free(certificates);
    BIO_free(keys);
    ERR_clear_error();
    return matches;
}

// MARK: Verification

// Appends to a text, up to its capacity.
__attribute__((format(printf, 2, 3))) static void append(char text[HR_TLS_ERROR_CAPACITY], const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, HR_TLS_ERROR_CAPACITY - length, format, arguments);
    va_end(arguments);
}

// Appends the content of a BIO, at most 128 bytes, and frees it.
static void append_content(char text[HR_TLS_ERROR_CAPACITY], BIO *content)
{
    if (content == NULL)
        return;
    char *bytes;
    long count = BIO_get_mem_data(content, &bytes);
    append(text, "%.*s", (int)(count < 128 ? count : 128), bytes);
    BIO_free(content);
}

static void append_name(char text[HR_TLS_ERROR_CAPACITY], const char *label, const X509_NAME *name)
{
    append(text, "%s", label);
    BIO *content = BIO_new(BIO_s_mem());
    // Control characters and characters beyond ASCII are escaped.
    if (content != NULL)
        X509_NAME_print_ex(content, name, 0, XN_FLAG_RFC2253);
    append_content(text, content);
}

static void append_time(char text[HR_TLS_ERROR_CAPACITY], const char *label, const ASN1_TIME *time)
{
    append(text, "%s", label);
    BIO *content = BIO_new(BIO_s_mem());
    if (content != NULL)
        ASN1_TIME_print_ex(content, time, ASN1_DTFLGS_ISO8601);
    append_content(text, content);
}

// Appends the names and addresses of a certificate.
static void append_alternatives(char text[HR_TLS_ERROR_CAPACITY], X509 *certificate)
{
    GENERAL_NAMES *names = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    int count = names == NULL ? 0 : sk_GENERAL_NAME_num(names);
    int listed = 0;
    for (int index = 0; index < count && listed < MOST_NAMES; index += 1) {
        const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, index);
        const char *separator = listed == 0 ? "" : " ";
        if (name->type == GEN_DNS) {
            int length = ASN1_STRING_length(name->d.dNSName);
            append(text, "%s%.*s", separator, length < 128 ? length : 128, ASN1_STRING_get0_data(name->d.dNSName));
        } else if (name->type == GEN_IPADD) {
            int length = ASN1_STRING_length(name->d.iPAddress);
            char address[INET6_ADDRSTRLEN];
            int family = length == 4 ? AF_INET : AF_INET6;
            const unsigned char *bytes = ASN1_STRING_get0_data(name->d.iPAddress);
            if ((length != 4 && length != 16) || inet_ntop(family, bytes, address, sizeof address) == NULL)
                continue;
            append(text, "%s%s", separator, address);
        } else {
            continue;
        }
        listed += 1;
    }
    if (listed == 0)
        append(text, "no name");
    GENERAL_NAMES_free(names);
}

// Records the reason why a certificate is rejected, and its names.
static int verify(int is_good, X509_STORE_CTX *store)
{
    if (is_good)
        return 1;
    SSL *session = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
    struct hr_tls *tls = session == NULL ? NULL : SSL_get_app_data(session);
    X509 *certificate = X509_STORE_CTX_get0_cert(store);
    if (tls == NULL || certificate == NULL || tls->refusal[0] != 0)
        return 0;
    char *text = tls->refusal;
    append(text, "certificate refused: %s; ", X509_verify_cert_error_string(X509_STORE_CTX_get_error(store)));
    append(text, "expected one for %.100s by an authority of %.100s, received one for ", tls->host, tls->authorities);
    append_alternatives(text, certificate);
    append_name(text, " (", X509_get_subject_name(certificate));
    append_name(text, "), issued by ", X509_get_issuer_name(certificate));
    append_time(text, ", valid from ", X509_get0_notBefore(certificate));
    append_time(text, " until ", X509_get0_notAfter(certificate));
    X509 *refused = X509_STORE_CTX_get_current_cert(store);
    if (refused != NULL && refused != certificate) {
        append_name(text, "; the rejected certificate belongs to ", X509_get_subject_name(refused));
        append_time(text, ", valid until ", X509_get0_notAfter(refused));
    }
    return 0;
}

// Called if the server requests a certificate and the context has none.
static int without_certificate(SSL *session, X509 **certificate, EVP_PKEY **key)
{
    (void)certificate, (void)key;
    struct hr_tls *tls = SSL_get_app_data(session);
    if (tls != NULL)
        tls->lacks_certificate = true;
    return 0;
}

// MARK: Contexts

struct hr_tls_context *hr_tls_context_create(const struct hr_tls_files *files, char error[HR_TLS_ERROR_CAPACITY])
{
    ERR_clear_error();
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    struct hr_tls_context *result = malloc(sizeof *result);
    bool is_good = context != NULL && result != NULL && SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1;
    if (!is_good)
        snprintf(error, HR_TLS_ERROR_CAPACITY, "TLS is not available");
    is_good = is_good && trust(context, files->authorities, error);
    if (is_good && files->certificate != NULL)
        is_good = present(context, files->certificate, error) &&
                  identify(context, files->key == NULL ? files->certificate : files->key, error);
    ERR_clear_error();
    if (!is_good) {
        SSL_CTX_free(context);
        free(result);
        return NULL;
    }
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, verify);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    if (files->certificate == NULL)
        SSL_CTX_set_client_cert_cb(context, without_certificate);
    *result = (struct hr_tls_context){.context = context};
    snprintf(result->authorities, sizeof result->authorities, "%s",
             files->authorities == NULL ? SYSTEM_AUTHORITIES : files->authorities);
    return result;
}

void hr_tls_context_free(struct hr_tls_context *context)
{
    SSL_CTX_free(context->context);
    free(context);
}

// MARK: Sessions

// Sets the name or the address that the certificate must have.
static bool expect(SSL *session, const char *host)
{
    unsigned char address[sizeof(struct in6_addr)];
    bool is_address = inet_pton(AF_INET, host, address) == 1 || inet_pton(AF_INET6, host, address) == 1;
    if (is_address)
        return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), host) == 1;
    // Names come from the extension (RFC 9525), not from the subject.
    SSL_set_hostflags(session, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
    return SSL_set1_host(session, host) == 1 && SSL_set_tlsext_host_name(session, host) == 1;
}

struct hr_tls *hr_tls_open(const struct hr_tls_context *context, int socket, const char *host,
                           char error[HR_TLS_ERROR_CAPACITY])
{
    ERR_clear_error();
    struct hr_tls *tls = calloc(1, sizeof *tls);
    SSL *session = SSL_new(context->context);
    size_t length = strlen(host);
    // An empty name would match every certificate.
    if (tls != NULL && session != NULL && length > 0 && length < sizeof tls->host && SSL_set_fd(session, socket) == 1 &&
        expect(session, host) && SSL_set_app_data(session, tls) == 1) {
        tls->session = session;
        memcpy(tls->host, host, length + 1);
        memcpy(tls->authorities, context->authorities, sizeof tls->authorities);
        return tls;
    }
    ERR_clear_error();
    snprintf(error, HR_TLS_ERROR_CAPACITY, "TLS is not available for the host");
    SSL_free(session);
    free(tls);
    return NULL;
}

// The next action of a session after a call returned `result`, or the failure of the call.
static ssize_t outcome(struct hr_tls *tls, int result, int system_error, char error[HR_TLS_ERROR_CAPACITY])
{
    error[0] = 0;
    int kind = SSL_get_error(tls->session, result);
    if (kind == SSL_ERROR_WANT_READ)
        return HR_TLS_WANTS_READ;
    if (kind == SSL_ERROR_WANT_WRITE)
        return HR_TLS_WANTS_WRITE;
    unsigned long number = ERR_peek_error();
    int reason = ERR_GET_LIB(number) == ERR_LIB_SSL ? ERR_GET_REASON(number) : 0;
    const char *words = ERR_reason_error_string(number);
    char text[128];
    append(error, "TLS: ");
    if (tls->refusal[0] != 0)
        append(error, "%s", tls->refusal);
    else if (kind == SSL_ERROR_ZERO_RETURN || reason == SSL_R_UNEXPECTED_EOF_WHILE_READING ||
             (kind == SSL_ERROR_SYSCALL && system_error == 0))
        append(error, "the server closed the connection");
    else if (kind == SSL_ERROR_SYSCALL)
        append(error, "%s", strerror_r(system_error, text, sizeof text));
    else if (reason == SSL_R_WRONG_VERSION_NUMBER || reason == SSL_R_PACKET_LENGTH_TOO_LONG)
        append(error, "the server does not use TLS (%s)", words);
    else
        append(error, "%s", words == NULL ? "unknown failure" : words);
    if (tls->lacks_certificate)
        append(error, "; the server requests a client certificate, and none is set");
    ERR_clear_error();
    return HR_TLS_FAILED;
}

ssize_t hr_tls_handshake(struct hr_tls *tls, char error[HR_TLS_ERROR_CAPACITY])
{
    ERR_clear_error();
    errno = 0;
    int result = SSL_connect(tls->session);
    return result == 1 ? HR_TLS_DONE : outcome(tls, result, errno, error);
}

ssize_t hr_tls_send(struct hr_tls *tls, const void *bytes, size_t count, char error[HR_TLS_ERROR_CAPACITY])
{
    ERR_clear_error();
    errno = 0;
    int result = SSL_write(tls->session, bytes, count > INT_MAX ? INT_MAX : (int)count);
    return result > 0 ? result : outcome(tls, result, errno, error);
}

ssize_t hr_tls_receive(struct hr_tls *tls, void *bytes, size_t count, char error[HR_TLS_ERROR_CAPACITY])
{
    ERR_clear_error();
    errno = 0;
    int result = SSL_read(tls->session, bytes, count > INT_MAX ? INT_MAX : (int)count);
    return result > 0 ? result : outcome(tls, result, errno, error);
}

void hr_tls_free(struct hr_tls *tls)
{
    SSL_free(tls->session);
    free(tls);
}
