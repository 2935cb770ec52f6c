package import Admission
import UntrustedText
import Fetching
package import HTTPServer
import HTTPTypes
import Pipeline
import Requests
import Workers

/// Checks of a request's header, before the body is received and before any work is done.
extension HeadroomHandler {
    /// Rejects a request without valid credentials, or an image request that cannot meet its deadline, before its body
    /// is received.
    ///
    /// - Returns: Nil if the server should receive the body.
    package func refusal(ofHead request: ServerRequest, bodyLength: Int?) -> ServerResponse? {
        guard let route = route(of: request), route.servesImages,
            [.get, .head, .post].contains(request.method)
        else {
            return nil
        }
        do throws(Problem) {
            let authorization = try admit(request, route: route)
            try checkAllowance(authorization)
            if !route.methods.contains(.post) { return nil }
            _ = try SignedQuery(of: request)
            // The length of a stream is unknown, and its frames wait for workers separately.
            if route == Route.stream { return nil }
            if let bodyLength { try authorization.check(bodyLength: bodyLength) }
            // Parameters in the body may match a cached response, which does not need a worker.
            let mayHoldParameters = RequestBody.isTakenApart(request) && bodyLength ?? .max <= RequestBody.maxJSONBytes
            if !mayHoldParameters,
                let refusal = images.workers.refusal(
                    by: request.acceptedAt + images.queueTimeout,
                    for: authorization.client(at: request.client)
                )
            {
                throw Problem(refusal)
            }
            return nil
        } catch {
            var entry = log.begin(request, route: route.name)
            return finished(log.refuse(error, &entry), for: request, servesImages: true, id: entry.id)
        }
    }

    /// Checks a request for fetch loops and for credentials.
    func admit(_ request: ServerRequest, route: Route) throws(Problem) -> Authorization {
        guard !FetchLoop.contains(request.headers) else { throw .fetchLoop }
        if let name = route.urlFormat, let urlFormat = settings.urlFormats[name] {
            return try settings.access.authorization(request, name, urlFormat)
        }
        return try settings.access.authorization(request)
    }
}

extension HeadroomHandler {
    /// Takes one request from the allowance of the authorization's tenant, if there is one.
    ///
    /// - Throws: A ``Problem`` with status 429 when the tenant has used its allowance.
    func takeAllowance(_ authorization: Authorization) async throws(Problem) {
        guard let tenant = authorization.tenant, let refusal = await tenants.admit(tenant) else { return }
        throw Problem(refusal)
    }

    /// Checks whether the authorization's tenant has allowance left, according to this process.
    ///
    /// Does not use any allowance.
    ///
    /// - Throws: A ``Problem`` with status 429.
    func checkAllowance(_ authorization: Authorization) throws(Problem) {
        guard let tenant = authorization.tenant, let refusal = tenants.refusal(of: tenant) else { return }
        throw Problem(refusal)
    }

    /// Returns the tenant that owns the credentials of a request; without a tenant, the network of the client.
    package func client(of request: ServerRequest) -> Client? {
        guard settings.access.hasTenants, let route = route(of: request), route.servesImages,
            let authorization = try? admit(request, route: route)
        else { return request.client.client }
        return authorization.client(at: request.client)
    }

    /// Returns the limits and the accounting of the jobs of a request.
    func jobLimits(_ authorization: Authorization, for peer: PeerAddress) -> JobLimits {
        var limits = JobLimits()
        limits.client = authorization.client(at: peer)
        guard let tenant = authorization.tenant else { return limits }
        let ledger = tenants
        limits.maxPixels = tenant.pixelLimit
        limits.charge = { ledger.charge($0, to: tenant) }
        if tenant.processorLimit != nil {
            limits.pause = { ledger.processorPause(of: tenant) }
        }
        return limits
    }
}

/// Detects requests that a Headroom service sent: a `url` that leads back to the service, directly or by a redirect.
///
/// Without this check, a web page that redirects to `/frame?url=` with the page's own URL would cause endless requests.
enum FetchLoop {
    /// Whether a request comes from a fetch.
    ///
    /// Each fetch adds the service to `Via` (RFC 9110 §7.6.3), and proxies append to this field.
    static func contains(_ headers: HTTPFields) -> Bool {
        guard headers.contains(.via) else { return false }
        return headers[values: .via].contains(where: namesService)
    }

    /// Whether an element names this service: the second word, after the protocol, is the service's pseudonym.
    ///
    /// Uses one pass and does not split the value, because this runs on an event loop before the body of a request is
    /// received.
    private static func namesService(_ value: String) -> Bool {
        let pseudonym = Array(ImageFetcher.viaPseudonym.utf8)
        var (word, length, isPseudonym) = (0, 0, true)
        for byte in value.utf8 {
            guard byte != UInt8(ascii: ","), byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t") else {
                if word == 1, isPseudonym, length == pseudonym.count { return true }
                word = byte == UInt8(ascii: ",") ? 0 : length > 0 ? word + 1 : word
                (length, isPseudonym) = (0, true)
                continue
            }
            isPseudonym = isPseudonym && length < pseudonym.count && byte.lowercasedASCII == pseudonym[length]
            length += 1
        }
        return word == 1 && isPseudonym && length == pseudonym.count
    }
}
