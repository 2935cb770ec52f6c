#include "CTLS.h"

#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hr_tls {
    SSL_CTX *context;
    SSL *session;
};

// The first error of OpenSSL's queue, which is then empty.
static void describe(const char *action, char error[HR_TLS_ERROR_CAPACITY])
{
    unsigned long number = ERR_get_error();
    const char *reason = number == 0 ? NULL : ERR_reason_error_string(number);
    if (reason == NULL)
        snprintf(error, HR_TLS_ERROR_CAPACITY, "%s", action);
    else
        snprintf(error, HR_TLS_ERROR_CAPACITY, "%s: %s", action, reason);
    ERR_clear_error();
}

static BIO *reader(const void *bytes, size_t size)
{
    return size == 0 || size > INT_MAX ? NULL : BIO_new_mem_buf(bytes, (int)size);
}

// Encrypted keys are refused instead of asking for a passphrase on the terminal.
static int no_passphrase(char *buffer, int size, int writing, void *context)
{
    (void)buffer, (void)size, (void)writing, (void)context;
    return -1;
}

static bool trust(SSL_CTX *context, const struct hr_tls_files *files)
{
    if (files->authorities == NULL)
        return SSL_CTX_set_default_verify_paths(context) == 1;
    BIO *input = reader(files->authorities, files->authorities_size);
    if (input == NULL)
        return false;
    X509_STORE *store = SSL_CTX_get_cert_store(context);
    int count = 0;
    bool is_good = true;
    X509 *authority;
    while (is_good && (authority = PEM_read_bio_X509_AUX(input, NULL, no_passphrase, NULL)) != NULL) {
        is_good = X509_STORE_add_cert(store, authority) == 1;
        X509_free(authority);
        count += 1;
    }
    BIO_free(input);
    // The end of the file is an error, too: no further certificate begins.
    unsigned long last = ERR_peek_last_error();
    if (is_good && count > 0 && ERR_GET_LIB(last) == ERR_LIB_PEM && ERR_GET_REASON(last) == PEM_R_NO_START_LINE) {
        ERR_clear_error();
        return true;
    }
    return false;
}

static bool present(SSL_CTX *context, const struct hr_tls_files *files)
{
    if (files->certificate == NULL)
        return true;
    BIO *input = reader(files->certificate, files->certificate_size);
    X509 *certificate = input == NULL ? NULL : PEM_read_bio_X509_AUX(input, NULL, no_passphrase, NULL);
    bool is_good = certificate != NULL && SSL_CTX_use_certificate(context, certificate) == 1;
    X509_free(certificate);
    X509 *intermediate;
    while (is_good && (intermediate = PEM_read_bio_X509(input, NULL, no_passphrase, NULL)) != NULL) {
        is_good = SSL_CTX_add0_chain_cert(context, intermediate) == 1;
        if (!is_good)
            X509_free(intermediate);
    }
    BIO_free(input);
    if (is_good)
        ERR_clear_error();
    return is_good;
}

static bool identify(SSL_CTX *context, const struct hr_tls_files *files)
{
    if (files->key == NULL)
        return true;
    BIO *input = reader(files->key, files->key_size);
    EVP_PKEY *key = input == NULL ? NULL : PEM_read_bio_PrivateKey(input, NULL, no_passphrase, NULL);
    bool is_good = key != NULL && SSL_CTX_use_PrivateKey(context, key) == 1 && SSL_CTX_check_private_key(context) == 1;
    EVP_PKEY_free(key);
    BIO_free(input);
    return is_good;
}

static SSL_CTX *make(const struct hr_tls_files *files, char error[HR_TLS_ERROR_CAPACITY])
{
    ERR_clear_error();
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    if (context == NULL || SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) != 1) {
        describe("TLS is not available", error);
    } else if (!trust(context, files)) {
        describe("the authorities are no certificates in PEM", error);
    } else if (!present(context, files)) {
        describe("the certificate is none in PEM", error);
    } else if (!identify(context, files)) {
        describe("the key is none in PEM, is encrypted, or is that of another certificate", error);
    } else {
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
        SSL_CTX_set_mode(context, SSL_MODE_AUTO_RETRY);
        return context;
    }
    SSL_CTX_free(context);
    return NULL;
}

int hr_tls_check(const struct hr_tls_files *files, char error[HR_TLS_ERROR_CAPACITY])
{
    SSL_CTX *context = make(files, error);
    SSL_CTX_free(context);
    return context == NULL ? -1 : 0;
}

// The name that the certificate must have. OpenSSL verifies the chain alone unless it is set.
static bool expect(SSL *session, const char *host)
{
    unsigned char address[sizeof(struct in6_addr)];
    bool is_address = inet_pton(AF_INET, host, address) == 1 || inet_pton(AF_INET6, host, address) == 1;
    if (is_address)
        return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), host) == 1;
    SSL_set_hostflags(session, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    return SSL_set1_host(session, host) == 1 && SSL_set_tlsext_host_name(session, host) == 1;
}

// The reason why a call on a session failed with `result`.
static void fail(SSL *session, int result, const char *action, char error[HR_TLS_ERROR_CAPACITY])
{
    int saved = errno;
    switch (SSL_get_error(session, result)) {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE:
        // The time limit of the blocking socket.
        snprintf(error, HR_TLS_ERROR_CAPACITY, "%s: timed out", action);
        break;
    case SSL_ERROR_ZERO_RETURN: snprintf(error, HR_TLS_ERROR_CAPACITY, "%s: Server closed the connection", action); break;
    case SSL_ERROR_SYSCALL:
        snprintf(error, HR_TLS_ERROR_CAPACITY, "%s: %s", action, saved == 0 ? "Server closed the connection" : "");
        if (saved != 0) {
            size_t length = strlen(error);
            (void)!strerror_r(saved, error + length, HR_TLS_ERROR_CAPACITY - length);
        }
        break;
    default: describe(action, error); return;
    }
    ERR_clear_error();
}

struct hr_tls *hr_tls_open(int socket, const char *host, const struct hr_tls_files *files,
                           char error[HR_TLS_ERROR_CAPACITY])
{
    SSL_CTX *context = make(files, error);
    if (context == NULL)
        return NULL;
    SSL *session = SSL_new(context);
    struct hr_tls *tls = malloc(sizeof *tls);
    if (session == NULL || tls == NULL || SSL_set_fd(session, socket) != 1 || !expect(session, host)) {
        describe("TLS is not available", error);
    } else {
        ERR_clear_error();
        errno = 0;
        int result = SSL_connect(session);
        if (result == 1) {
            *tls = (struct hr_tls){.context = context, .session = session};
            return tls;
        }
        long verdict = SSL_get_verify_result(session);
        if (verdict != X509_V_OK) {
            snprintf(error, HR_TLS_ERROR_CAPACITY, "TLS: the certificate of %.100s is not valid: %s", host,
                     X509_verify_cert_error_string(verdict));
            ERR_clear_error();
        } else {
            fail(session, result, "TLS", error);
        }
    }
    free(tls);
    SSL_free(session);
    SSL_CTX_free(context);
    return NULL;
}

int hr_tls_send(struct hr_tls *tls, const void *bytes, size_t count, char error[HR_TLS_ERROR_CAPACITY])
{
    const char *next = bytes;
    while (count > 0) {
        int part = count > INT_MAX ? INT_MAX : (int)count;
        ERR_clear_error();
        errno = 0;
        int sent = SSL_write(tls->session, next, part);
        if (sent <= 0) {
            fail(tls->session, sent, "TLS", error);
            return -1;
        }
        next += sent;
        count -= (size_t)sent;
    }
    return 0;
}

ssize_t hr_tls_receive(struct hr_tls *tls, void *bytes, size_t count, char error[HR_TLS_ERROR_CAPACITY])
{
    ERR_clear_error();
    errno = 0;
    int received = SSL_read(tls->session, bytes, count > INT_MAX ? INT_MAX : (int)count);
    if (received > 0)
        return received;
    fail(tls->session, received, "TLS", error);
    return -1;
}

void hr_tls_free(struct hr_tls *tls)
{
    SSL_free(tls->session);
    SSL_CTX_free(tls->context);
    free(tls);
}
