import BackendKit
import BackendTransport

extension TransportSettings {
  /// Gives these for every login.
  mutating func give(_ values: [LoginScheme.Credential: String]) {
    credentials = { wanted, _ throws(BackendError) in Given(values.filter { wanted.contains($0.key) }) }
  }
}
