import BackendClient
import BackendKit

/// The resource of writes, with everything looked up once per command. Shared by its writes, since it is large to copy.
final class WritePlace: Sendable {
  let target: Target
  let resource: ResourceDescription
  let images: JournalImages
  let ledger: Ledger
  /// Waits for a busy service; nil for a single write, whose failure is reported immediately.
  let patience: RowRetryPolicy?

  var client: Client { target.client }

  init(
    _ target: Target, _ resource: ResourceDescription, _ images: JournalImages, _ ledger: Ledger,
    _ patience: RowRetryPolicy?
  ) {
    self.target = target
    self.resource = resource
    self.images = images
    self.ledger = ledger
    self.patience = patience
  }

  /// The place for a path that had names for identifiers.
  func at(_ path: ResourcePath) -> WritePlace {
    guard path != target.path else { return self }
    return WritePlace(Target(backend: target.backend, path: path), resource, images, ledger, patience)
  }
}
