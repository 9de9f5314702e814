import BackendClient
import BackendKit

/// The resource that writes go to, with all that is looked up once for a command. Shared by its writes, as it is large to copy.
final class WritePlace: Sendable {
  let target: Target
  let resource: ResourceDescription
  let images: JournalImages
  let ledger: Ledger
  /// Waits for a service that is busy; nil for a single write, whose failure is told at once.
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
}
