import BackendKit
import ConsoleSetup

extension FieldDescription {
  /// The names of the secret fields in it, including itself.
  fileprivate var secretNames: [String] { (isSecret ? [name] : []) + fields.flatMap(\.secretNames) }

  fileprivate func marked(_ isSecret: (String) -> Bool) -> FieldDescription {
    var field = self
    if isSecret(name) { field.isSecret = true }
    field.fields = fields.map { $0.marked(isSecret) }
    return field
  }
}

extension ResourceDescription {
  fileprivate var secretNames: [String] {
    fields.flatMap(\.secretNames) + actions.flatMap { $0.fields.flatMap(\.secretNames) }
  }

  fileprivate func marked(_ isSecret: (String) -> Bool) -> ResourceDescription {
    var resource = self
    resource.fields = fields.map { $0.marked(isSecret) }
    for index in resource.actions.indices {
      resource.actions[index].fields = resource.actions[index].fields.map { $0.marked(isSecret) }
    }
    return resource
  }
}

extension BackendConfiguration {
  /// Combines the secrets of description and configuration: both mark fields of the result, and are registered.
  func agreed(_ description: BackendDescription, _ blanking: Blanking) -> BackendDescription {
    let listed = Set(secretNames.map { $0.lowercased() })
    var description = description
    if !listed.isEmpty {
      let isSecret = { @Sendable (name: String) in listed.contains(name.lowercased()) }
      description.resources = description.resources.map { $0.marked(isSecret) }
      description.others = description.others.map { $0.marked(isSecret) }
      description.outlined = description.outlined?.map { $0.marked(isSecret) }
    }
    description.outlined = description.outlined?.map { [name] resource in
      blanking.declare(resource.secretNames, of: name)
      return resource
    }
    let resources = description.resources + (description.others.map { [$0] } ?? [])
    blanking.declare(resources.flatMap(\.secretNames), of: name)
    return description
  }
}

extension ResourceDescription {
  private func isSecret(_ name: String) -> Bool { fields.contains { $0.name == name && $0.isSecret } }

  /// The secrets in an identifier: the whole, or the values of the fields it is made of.
  fileprivate func secrets(in id: RecordID) -> [String] {
    let whole = identifier.field.map(isSecret) == true ? [id.text] : []
    return whole + (identifier.values(of: id) ?? []).filter { isSecret($0.field) }.map(\.text)
  }

  /// True if identifiers are secret, or contain secrets.
  var hasSecretIdentifiers: Bool {
    ([identifier.field].compactMap(\.self) + identifier.parts).contains(where: isSecret)
  }
}

extension Blanking {
  /// Registers the secrets in an identifier.
  func see(_ id: RecordID, of resource: ResourceDescription) { see(resource.secrets(in: id)) }
}
