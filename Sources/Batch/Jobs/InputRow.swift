/// One row of the input: a job, or the reason why it is none.
package struct InputRow: Sendable {
    /// The job, or the error of its row.
    package var job: Result<BatchJob, RowError>
    /// The row in messages, such as `jobs.jsonl:12`.
    package var place: String
    /// The line of a list; for other inputs the number of the row in its input.
    package var number = 0
    /// The number of its input in the run.
    package var input = 0
}
