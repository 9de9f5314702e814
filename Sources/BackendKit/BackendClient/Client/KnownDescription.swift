import BackendKit

/// A cached description, with the proved facts of its resources, against which every write is checked.
struct KnownDescription: Sendable {
  let description: BackendDescription
  /// The resources that also have unproved facts, by name.
  private let proved: [String: ResourceDescription]

  init(_ description: BackendDescription) {
    self.description = description
    let proved = description.resources.compactMap { resource in resource.proved.map { (resource.name, $0) } }
    self.proved = Dictionary(proved, uniquingKeysWith: { first, _ in first })
  }

  /// The resource of a name, and the same with its proved facts only; the latter is nil if all are proved.
  func resource(named name: String) -> (resource: ResourceDescription, proved: ResourceDescription?)? {
    description.resource(named: name).map { resource in
      (resource: resource, proved: proved[resource.name] ?? (isOutlined(resource) ? resource.proved : nil))
    }
  }

  /// Returns whether only a document describes a resource.
  func isOutlined(_ resource: ResourceDescription) -> Bool {
    description.outlined?.outline(named: resource.name) != nil
  }
}
