import Addresses
import HTTPServer
import HTTPTypes
@testable import HeadroomAPI
import Pipeline
@testable import Requests
import TestAddresses

extension Fuzzer {
    /// URLs of each other service, and queries of `/frame`, built from known options with hostile values.
    ///
    /// Random text rarely contains the name of an option before a value. These fuzzers use the input to select names,
    /// values and separators from tables, so that each execution reaches the code that reads an option.
    static let options: [Fuzzer] = URLFormatName.allCases.map(options) + [frameOptions]

    private static func options(of service: URLFormatName) -> Fuzzer {
        let hostile = HostileAddress(service)
        let names = hostile.names
        return Fuzzer(name: "\(service.rawValue)-options", maxLength: 96) {
            seeds(names: names.count)
        } run: { input in
            var choices = Choices(input)
            guard let urlFormat = hostile.urlFormat else { preconditionFailure("the format is not served") }
            let mode = choices.element(of: hostile.modes) ?? []
            let options = choices.options(named: names).map { HostileAddress.Option($0.name, $0.value) }
            guard let address = choices.element(of: hostile.addresses(mode + options)),
                let translation = try? urlFormat.translate(address)
            else { return }
            do throws(Problem) {
                let request = ServerRequest(method: .get, target: address.path)
                _ = try ImageCall(
                    request,
                    translation,
                    in: service,
                    authorization: .everyone,
                    defaults: DefaultParameters(),
                    deadline: .now
                )
            } catch {
                precondition(
                    !error.invalid.contains { $0.detail.contains("Unknown parameter") },
                    "an unknown parameter"
                )
            }
        }
    }

    private static let frameOptions: Fuzzer = {
        let names = Parameter.all.map(\.name)
        return Fuzzer(name: "frame-options", maxLength: 96) {
            seeds(names: names.count)
        } run: { input in
            var choices = Choices(input)
            let pairs = choices.options(named: names)
            let canonical = CanonicalRequest(.get, path: "/frame", pairs: pairs)
            let request = ServerRequest(method: .get, target: canonical.target)
            let hints: ClientHints? = choices.byte() & 1 == 0 ? nil : ClientHints { _ in pairs.first?.value }
            guard let query = try? SignedQuery(request.query),
                let parameters = try? FrameParameters(query.pairs, known: Parameter.all, hints: hints)
            else { return }
            for route in [ImageRoute.frame, .faces, .face(1)] {
                let negotiation = Negotiation(parameters.format, accept: pairs.last?.value, route: route)
                _ = route.refusal(of: parameters, form: negotiation.form)
                _ = negotiation.job(source: [], parameters: parameters)
            }
        }
    }()

    /// One option with a valid value for each name.
    private static func seeds(names count: Int) -> [[UInt8]] {
        (0..<count).map { [0, 0, UInt8($0 & 255), UInt8($0 >> 8), 0, UInt8($0 % 7), 0] }
    }
}

/// Selects names, values and separators by the bytes of an input.
private struct Choices {
    private var bytes: ArraySlice<UInt8>

    init(_ input: UnsafeBufferPointer<UInt8>) { bytes = Array(input)[...] }

    /// Returns the next byte; 0 after the last byte.
    mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

    mutating func element<Element>(of all: [Element]) -> Element? {
        let number = Int(byte()) | (all.count > 256 ? Int(byte()) << 8 : 0)
        return all.isEmpty ? nil : all[number % all.count]
    }

    /// Returns one to four options.
    mutating func options(named names: [String]) -> [(name: String, value: String)] {
        (0...Int(byte() & 3)).map { _ in
            let number = Int(byte()) | Int(byte()) << 8
            return (names[number % names.count], value())
        }
    }

    /// Returns a value of the table, or a sequence of values and characters.
    private mutating func value() -> String {
        let pieces = byte() & 7
        // Half of all values come from the table.
        guard pieces > 3 else { return element(of: HostileValue.all) ?? "" }
        return (3..<pieces).map { _ in
            byte() & 1 == 0
                ? element(of: HostileValue.all) ?? "" : String(Unicode.Scalar(max(32, byte() & 127)))
        }.joined()
    }
}
