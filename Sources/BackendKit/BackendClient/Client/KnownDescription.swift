import BackendKit

/// A description as it is kept: with the proved facts of its resources, which every write is checked against.
struct KnownDescription: Sendable {
  let description: BackendDescription
  /// The resources that have other facts, too, by name.
  private let proved: [String: ResourceDescription]

  init(_ description: BackendDescription) {
    self.description = description
    let proved = description.resources.compactMap { resource in resource.proved.map { (resource.name, $0) } }
    self.proved = Dictionary(proved, uniquingKeysWith: { first, _ in first })
  }

  /// The resource of a name, and the same with its proved facts only; the latter is nil if it has no others.
  func resource(named name: String) -> (resource: ResourceDescription, proved: ResourceDescription?)? {
    description.resource(named: name).map { (resource: $0, proved: proved[$0.name]) }
  }
}
