import CCurl

extension CurlTransfer {
    /// Leaves libcurl nothing but HTTP/1.1 and TLS to the host of the URL.
    func restrictToPlainHTTP() {
        set(CURLOPT_PROTOCOLS_STR, to: "http,https")
        set(CURLOPT_FOLLOWLOCATION, to: 0)
        // A proxy, also one from the environment, would connect in our place and past the gate.
        set(CURLOPT_PROXY, to: "")
        set(CURLOPT_NOPROXY, to: "*")
        set(CURLOPT_NETRC, to: Int(CURL_NETRC_IGNORED.rawValue))
        // One picture at a time gains nothing from HTTP/2, and its parser need not face strangers.
        set(CURLOPT_HTTP_VERSION, to: CURL_HTTP_VERSION_1_1)
        // Timeouts by signal are for programs with one thread. Debian's libcurl resolves names on threads of its own
        // (feature AsynchDNS), so the time limits hold for the name server too.
        set(CURLOPT_NOSIGNAL, to: 1)
        // Without this a timed-out lookup is waited for. Its thread ends when the C library gives up on the name
        // server (`options timeout` in resolv.conf), so their number stays below slots × that ÷ connect timeout.
        set(CURLOPT_QUICK_EXIT, to: 1)
        // Pictures are large: with 16 KiB, its default, libcurl asks the kernel ninety times for one of 1.5 MB.
        set(CURLOPT_BUFFERSIZE, to: 1 << 17)
        // A kept connection was checked when it was opened; old ones are closed rather than trusted.
        set(CURLOPT_MAXAGE_CONN, to: 30)
        set(CURLOPT_MAXLIFETIME_CONN, to: 120)
    }

    /// Sets what a request says about itself.
    mutating func describeRequest(
        _ configuration: ImageFetcher.Configuration,
        _ conditions: FetchConditions?,
        traceParent: String?
    ) {
        set(CURLOPT_USERAGENT, to: configuration.userAgent)
        // Lets libcurl inflate; the empty field below then takes the request for it back.
        set(CURLOPT_ACCEPT_ENCODING, to: "gzip, deflate")
        set(
            CURLOPT_HTTPHEADER,
            to: [
                "Accept: \(configuration.accept)",
                "Accept-Encoding:",
                "Via: 1.1 \(ImageFetcher.viaPseudonym)",
            ] + (conditions?.fields ?? []) + (traceParent.map { ["traceparent: \($0)"] } ?? [])
        )
    }

    /// Answers lookups of the given names without a name server.
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

    /// Calls the gate for every connection and the receiver for every piece of a response.
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
