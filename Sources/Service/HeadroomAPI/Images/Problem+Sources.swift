package import Fetching
import Imaging
import Pipeline
package import Requests

extension Problem {
    /// Creates the problem for a failed job.
    ///
    /// It describes text that was received instead of an image.
    init(_ error: PipelineError, of source: ImageSource) {
        self.init(error)
        guard case .codec(.unsupportedFormat(let name)) = error else { return }
        let start = source.bytes.slice.prefix(64 << 10)
        if let format = ConvertibleFormat.sniff(Array(start)) {
            detail +=
                " The operator can add a program that converts \(format.name) files: the entry \(format.rawValue) of the "
                + "setting converters."
        }
        guard name == nil || name == "HTML" else { return }
        guard let text = name == nil ? ReceivedText(start) : .html else { return }
        detail = source.url == nil ? text.problem(ofBody: ReceivedText.line(of: start)) : text.problemOfURL
    }
}

extension Problem {
    /// Creates the problem for a failed job whose input was the output of a converter.
    init(_ error: PipelineError, ofConverted source: ImageSource) {
        self.init(error)
        if case .codec = error { detail = "The output of the converter: \(detail)" }
    }
}

extension Problem {
    /// Adds the cause of a missing source, if the client is in the network of the service.
    ///
    /// - Parameters:
    ///   - error: The failure of the fetch.
    ///   - url: The URL of the request.
    ///   - isForLocalClient: Whether the client is in the network of the service.
    package mutating func add(_ error: FetchError, of url: SourceURL, isForLocalClient: Bool) {
        guard kind == .sourceNotFound, isForLocalClient, let cause = error.cause(of: url) else { return }
        detail += " \(cause)"
    }
}

extension FetchError {
    /// Returns a sentence that states why a source is missing and which setting allows it; nil if the cause would not
    /// help the client.
    ///
    /// Only for clients in the network of the service, because the sentence reveals names, addresses and settings.
    ///
    /// - Parameter url: The URL of the request, which may have been redirected.
    /// - Returns: The sentence.
    fileprivate func cause(of url: SourceURL) -> String? {
        switch self {
        case .notFound(let status):
            switch url {
            case .web: "The origin responded with status \(status)."
            case .object(let object): "The object does not exist in the bucket \(object.bucket)."
            case .file: "The file does not exist below --local-root."
            }
        case .unresolved(let reason): "The host name does not exist: \(ParameterError.shortened(reason))."
        case .blocked(let refusal):
            (refusal.isOfRedirect ? "The URL redirects to a URL that is not allowed. " : "") + refusal.advice
        default: nil
        }
    }
}

extension FetchRefusal {
    /// A sentence that names the rule and the setting.
    fileprivate var advice: String {
        switch cause {
        case .privateAddress: "Sources at private addresses require --allow-private-sources."
        case .forbiddenAddress:
            "No setting allows this address: it is link-local, multicast, reserved or the address of a metadata service."
        case .port(let port):
            "The port \(port) is not allowed; expected 80 or 443, or a host with this port in --allow-hosts."
        case .host: "--allow-hosts does not contain the host."
        case .deniedHost: "--deny-hosts contains the host."
        case .other: "The URL is not allowed: \(ParameterError.shortened(description))."
        }
    }
}
