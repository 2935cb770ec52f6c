/// One row of the input: a job, or the error of an invalid row.
package struct InputRow: Sendable {
    package var job: Result<BatchJob, RowError>
    /// The name of the row in messages, such as `jobs.jsonl:12`.
    package var place: String
    /// The line of a list; for other inputs the number of the row in its input.
    package var number = 0
    /// The number of the row's input in the run.
    package var input = 0
}
