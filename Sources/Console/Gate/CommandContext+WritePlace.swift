import BackendClient
import BackendKit

extension CommandContext {
  /// A place for writes of the current command. Rows share their patience if they go to one backend.
  func place(
    _ target: Target, _ resource: ResourceDescription, _ patience: RowRetryPolicy? = nil, marks: (any WriteMarks)? = nil
  ) -> WritePlace {
    WritePlace(
      target, resource, JournalImages(reporter.blanking, resource.fields), ledger(target, marks: marks), patience)
  }
}
