import HTTPTypes
import HeadroomAPI
import Pipeline
import Requests
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct PipeRequestTests {
    @Test(arguments: [("/frame", ImageRoute.frame), ("/faces", .faces), ("/faces/2", .face(2))])
    func `a path selects its route`(path: String, route: ImageRoute) throws {
        #expect(try PipeRequest(path: path, parameters: [], bytes: []).route == route)
    }

    @Test(arguments: ["", "frame", "/frame/1", "/faces/0", "/metrics"])
    func `an unknown path is rejected with 404`(path: String) throws {
        let problem = try #require(throws: Problem.self) { try PipeRequest(path: path, parameters: [], bytes: []) }
        #expect(problem.kind == .notFound && problem.status == .notFound)
    }
}
