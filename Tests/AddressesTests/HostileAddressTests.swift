import Addresses
import HTTPTypes
import HeadroomAPI
import Requests
import TestAddresses
import TestPacing
import Testing

/// No option of a URL crashes the process, regardless of its value.
///
/// A trap in the service would be an outage.
@Suite(.limitedConcurrency) struct HostileAddressTests {
    /// Translates a URL like the service and parses the parameters; problems are allowed.
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

    /// The modes and forms of the URL alternate.
    ///
    /// Fuzzers test all combinations.
    @Test(arguments: URLFormatName.allCases) func `every option accepts or rejects every hostile value`(
        service: URLFormatName
    ) throws {
        let hostile = HostileAddress(service)
        let urlFormat = try #require(hostile.urlFormat)
        let modes = hostile.modes
        #expect(!hostile.names.isEmpty && !modes.isEmpty)
        for (row, name) in (hostile.names + [""]).enumerated() {
            for (column, value) in HostileValue.all.enumerated() {
                let turn = row + column
                let addresses = hostile.addresses(modes[turn % modes.count] + [.init(name, value)])
                Self.translate(addresses[turn / modes.count % addresses.count], urlFormat)
            }
        }
    }

    /// Each name is combined with each other name, and each value with many other values; the fuzzers test the
    /// remaining pairs.
    @Test(arguments: URLFormatName.allCases) func `pairs of options accept or reject hostile values`(
        service: URLFormatName
    ) throws {
        let hostile = HostileAddress(service)
        let urlFormat = try #require(hostile.urlFormat)
        let (names, values) = (hostile.names, HostileValue.all)
        var turn = 0
        for first in names {
            for second in names {
                turn += 1
                let options = [
                    HostileAddress.Option(first, values[turn % values.count]),
                    .init(second, values[turn * 7 % values.count]),
                ]
                let addresses = hostile.addresses(options)
                Self.translate(addresses[turn % addresses.count], urlFormat)
            }
        }
    }

    @Test(arguments: URLFormatName.allCases) func `every option name in the list is supported`(
        service: URLFormatName
    ) throws {
        let hostile = HostileAddress(service)
        let urlFormat = try #require(hostile.urlFormat)
        for name in hostile.names {
            for address in hostile.addresses([.init(name, "1")]).prefix(1) {
                do {
                    let translation = try urlFormat.translate(address)
                    // weserv and imgix ignore unknown names, and they ignore these names if the value is 1.
                    let isIgnored = translation.ignored == [name]
                    let ignoresUnknown = service == .weserv || service == .imgix
                    let ignoresValue = ["t", "precrop", "default", "errorredirect", "chromasub", "maxage"].contains(
                        name
                    )
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
