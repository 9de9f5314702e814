import BackendKit

/// The records that own those of a table. Each part of their identifiers is a column that needs a value; all values
/// together are one identifier within this module.
struct Owners {
  private let resources: [ResourceDescription]
  /// The names of the columns.
  let names: [String]

  /// The resources, from the top.
  init(_ resources: [ResourceDescription]) {
    self.resources = resources
    var names: [String] = []
    var above: ResourceDescription?
    for resource in resources {
      let rule = resource.identifier
      let name = above?.shortName(of: resource.name) ?? resource.name
      for part in rule.segments > 1 ? rule.parts : [resources.count > 1 ? name : "owner"] {
        let taken = names.count { $0.hasPrefix("_\(part)") }
        names.append("_\(part)\(taken > 0 ? "_\(taken + 1)" : "")")
      }
      above = resource
    }
    self.names = names
  }

  /// The owners in the values of all columns.
  static func identifier(_ values: [String]) -> RecordID { RecordID(values.joined(separator: "\u{1E}")) }

  /// The values of all columns.
  static func values(of owners: RecordID) -> [String] {
    owners.text.split(separator: "\u{1E}", omittingEmptySubsequences: false).map(String.init)
  }

  /// The path of a resource below these owners.
  func path(to name: String, below owners: RecordID) -> ResourcePath? {
    var values = Self.values(of: owners)[...]
    var parts: [String] = []
    var above: ResourceDescription?
    for resource in resources {
      let own = values.prefix(resource.identifier.segments)
      values = values.dropFirst(own.count)
      let id = own.count > 1 ? resource.identifier.identifier(joining: Array(own))?.text : own.first
      parts += [above?.shortName(of: resource.name) ?? resource.name, id ?? ""]
      above = resource
    }
    return ResourcePath(parts: parts + [above?.shortName(of: name) ?? name])
  }

  /// The condition that a statement lacks, as an example.
  var hint: String { "add a condition such as " + names.map { "\($0) = ID" }.joined(separator: " AND ") }
}
