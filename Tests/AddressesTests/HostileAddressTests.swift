import Addresses
import HTTPTypes
import HeadroomAPI
import Requests
import TestAddresses
import TestPacing
import Testing

/// No option of a URL ends the process, whatever its value: a trap in the service is an outage.
@Suite(.limitedConcurrency) struct HostileAddressTests {
    /// Translates a URL as the service does, and reads the parameters; problems are fine.
    private static func translate(_ address: ForeignURL, _ urlFormat: any URLFormat) {
        guard let translation = try? urlFormat.translate(address) else { return }
        let pairs = translation.parameters.map { (name: $0.name.name, value: $0.value) }
        do {
            _ = try FrameParameters(pairs, known: Parameter.all)
        } catch {
            let unknown = error.all.filter(\.isUnknown)
            #expect(unknown.isEmpty, "\(address.path)?\(address.query ?? "") becomes \(unknown.map(\.name))")
        }
    }

    @Test(arguments: URLFormatName.allCases) func `every option has every hostile value`(service: URLFormatName) throws
    {
        let hostile = HostileAddress(service)
        let urlFormat = try #require(hostile.urlFormat)
        #expect(!hostile.names.isEmpty)
        for name in hostile.names + [""] {
            for value in HostileValue.all {
                for mode in hostile.modes {
                    for address in hostile.addresses(mode + [.init(name, value)]) { Self.translate(address, urlFormat) }
                }
            }
        }
    }

    /// Each name is combined with every other one, and each value with every other one, but not all with all.
    @Test(arguments: URLFormatName.allCases) func `pairs of options have hostile values`(service: URLFormatName) throws
    {
        let hostile = HostileAddress(service)
        let urlFormat = try #require(hostile.urlFormat)
        let (names, values) = (hostile.names, HostileValue.all)
        var step = 0
        func next() -> String {
            step += 1
            return values[step % values.count]
        }
        for first in names {
            for second in names {
                for _ in 0..<3 {
                    let options = [
                        HostileAddress.Option(first, next()), .init(second, values[step * 7 % values.count]),
                    ]
                    for address in hostile.addresses(options) { Self.translate(address, urlFormat) }
                }
            }
        }
        for first in values {
            for second in values {
                step += 1
                let options = [
                    HostileAddress.Option(names[step % names.count], first),
                    .init(names[step * 11 % names.count], second),
                ]
                for address in hostile.addresses(options) { Self.translate(address, urlFormat) }
            }
        }
    }

    @Test(arguments: URLFormatName.allCases) func `every name of an option is known`(service: URLFormatName) throws {
        let hostile = HostileAddress(service)
        let urlFormat = try #require(hostile.urlFormat)
        for name in hostile.names {
            for address in hostile.addresses([.init(name, "1")]).prefix(1) {
                do {
                    let translation = try urlFormat.translate(address)
                    // weserv and imgix ignore names that they do not know, and these with the value 1.
                    let isIgnored = translation.ignored == [name]
                    let ignoresUnknown = service == .weserv || service == .imgix
                    let ignoresValue = ["t", "precrop", "default", "errorredirect", "chromasub"].contains(name)
                    #expect(!(ignoresUnknown && isIgnored && !ignoresValue), "\(name) is ignored")
                } catch {
                    let isUnknown =
                        error.detail.contains("expected an option of") || error.detail.contains("(filter)")
                    #expect(!isUnknown || service == .thumbor && name == "page", "\(name): \(error.detail)")
                }
            }
        }
    }

    @Test(arguments: ["w-", "h-", "h", "w-_", "w-_,h-__", "w-30,h-", "ar-,w-", "cm-extract,w-_"])
    func `an empty variable in a template is a problem`(steps: String) throws {
        let urlFormat = try #require(HostileAddress(.imagekit).urlFormat)
        for address in [
            ForeignURL(path: "/http://x.example/a.jpg", query: "tr=\(steps)"),
            ForeignURL(path: "/tr:\(steps)/a.jpg"),
        ] {
            let problem = #expect(throws: Problem.self) { try urlFormat.translate(address) }
            #expect(problem?.status == .badRequest, "\(problem?.detail ?? "")")
        }
    }
}
