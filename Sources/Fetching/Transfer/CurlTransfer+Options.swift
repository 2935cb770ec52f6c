import CCurl

extension CurlTransfer {
    /// Restricts libcurl to HTTP/1.1 and TLS to the host of the URL.
    func restrictToPlainHTTP() {
        set(CURLOPT_PROTOCOLS_STR, to: "http,https")
        set(CURLOPT_FOLLOWLOCATION, to: 0)
        // A proxy, including one from the environment, would connect itself and bypass the gate.
        set(CURLOPT_PROXY, to: "")
        set(CURLOPT_NOPROXY, to: "*")
        set(CURLOPT_NETRC, to: Int(CURL_NETRC_IGNORED.rawValue))
        // HTTP/2 has no benefit for one picture at a time, and its parser would be exposed to untrusted origins.
        set(CURLOPT_HTTP_VERSION, to: CURL_HTTP_VERSION_1_1)
        // Timeouts by signal require a single thread. Debian's libcurl resolves names on threads of its own
        // (feature AsynchDNS), so the time limits include name resolution.
        set(CURLOPT_NOSIGNAL, to: 1)
        // Otherwise libcurl waits for a timed-out lookup. Its thread ends with the C library's own timeout
        // (`options timeout` in resolv.conf), so at most slots × that ÷ connect timeout of them exist.
        set(CURLOPT_QUICK_EXIT, to: 1)
        // With the default of 16 KiB, libcurl reads ninety times for a picture of 1.5 MB.
        set(CURLOPT_BUFFERSIZE, to: 1 << 17)
        // A kept connection was checked when it was opened; old ones are closed.
        set(CURLOPT_MAXAGE_CONN, to: 30)
        set(CURLOPT_MAXLIFETIME_CONN, to: 120)
    }

    /// Sets the request's header fields.
    mutating func describeRequest(
        _ configuration: FetchConfiguration,
        _ conditions: FetchConditions?,
        traceParent: String?,
        signature: [(name: String, value: String)] = []
    ) {
        set(CURLOPT_USERAGENT, to: configuration.userAgent)
        // Enables decompression; the empty field below removes Accept-Encoding from the request.
        set(CURLOPT_ACCEPT_ENCODING, to: "gzip, deflate")
        set(
            CURLOPT_HTTPHEADER,
            to: [
                "Accept: \(configuration.accept)",
                "Accept-Encoding:",
                "Via: 1.1 \(ImageFetcher.viaPseudonym)",
            ] + (conditions?.fields ?? []) + (traceParent.map { ["traceparent: \($0)"] } ?? [])
                + signature.map { "\($0.name): \($0.value)" }
        )
    }

    /// Resolves the given names without DNS.
    mutating func pin(_ hosts: [PinnedHost]) {
        set(
            CURLOPT_RESOLVE,
            to: hosts.map { pinned in
                let addresses = pinned.addresses.map { address in
                    if case .v6 = address { "[\(address)]" } else { "\(address)" }
                }
                return "\(pinned.host):\(pinned.port):\(addresses.joined(separator: ","))"
            }
        )
    }

    /// Uses the gate for every connection and the receiver for every piece of a response.
    ///
    /// Both must live as long as the transfer, which does not retain them.
    func attach(gate: ConnectionGate, receiver: ResponseReceiver) {
        set(CURLOPT_OPENSOCKETDATA, to: Unmanaged.passUnretained(gate).toOpaque())
        check(
            hr_curl_on_open_socket(easy) { context, _, target in
                guard let context, let target else { return CURL_SOCKET_BAD }
                return Unmanaged<ConnectionGate>.fromOpaque(context).takeUnretainedValue().open(target)
            }
        )
        let receiver = Unmanaged.passUnretained(receiver).toOpaque()
        set(CURLOPT_HEADERDATA, to: receiver)
        check(
            hr_curl_on_header(easy) { bytes, size, count, context in
                guard let context else { return 0 }
                let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
                let receiver = Unmanaged<ResponseReceiver>.fromOpaque(context).takeUnretainedValue()
                return receiver.receiveHeader(line) ? line.count : 0
            }
        )
        set(CURLOPT_WRITEDATA, to: receiver)
        check(
            hr_curl_on_body(easy) { bytes, size, count, context in
                guard let context else { return 0 }
                let part = UnsafeRawBufferPointer(start: bytes, count: size * count)
                let receiver = Unmanaged<ResponseReceiver>.fromOpaque(context).takeUnretainedValue()
                return receiver.receiveBody(part) ? part.count : 0
            }
        )
    }
}
