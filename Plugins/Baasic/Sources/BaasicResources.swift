import BackendKit

/// Where the records of a resource are found.
enum Place: Sendable, Equatable {
  /// The schemas of the application.
  case schemas
  /// The records of a schema.
  case records(String)

  /// The place of a resource; throws where there can be none.
  init(_ path: ResourcePath) throws(BackendError) {
    guard path.parts.count == 1 else {
      throw .unsupported("Baasic has no resources below a record", hint: "list \(path.name) with a condition")
    }
    self = path.name == "schemas" ? .schemas : .records(path.name)
  }

  /// The name of the resource.
  var name: String {
    switch self {
    case .schemas: "schemas"
    case .records(let name): name
    }
  }

  /// The member that identifies a record.
  var identifier: String { self == .schemas ? "name" : "id" }
}

/// What is known of the application's resources: by configuration at first, by its schemas once they were read.
actor BaasicResources {
  private let options: BaasicOptions
  private var read: [BaasicSchema]?

  init(_ options: BaasicOptions) { self.options = options }

  /// The schema of a resource as far as it is known; names are told apart without case, as the server does.
  func schema(_ name: String) -> BaasicSchema? {
    let wanted = name.lowercased()
    let known = (read ?? []).first { $0.name.lowercased() == wanted }
    let configured = options.schemas.first { $0.name.lowercased() == wanted }
    return known?.fields.isEmpty == false ? known : configured ?? known
  }

  /// Takes down what the server said.
  func learn(_ schemas: [BaasicSchema]) { read = schemas }

  /// The descriptions of what the configuration names, and of `schemas`.
  nonisolated func known() -> [ResourceDescription] {
    options.schemas.map(description) + [schemasDescription]
  }

  /// The descriptions of all resources by the schemas read, after those of the configuration.
  func live() -> [ResourceDescription] {
    var names = Set(options.schemas.map { $0.name.lowercased() })
    var schemas = options.schemas.map { schema($0.name) ?? $0 }.enumerated().map { place, schema in
      // The name stays as the configuration spells it, so that it can be used as it is known.
      var schema = schema
      schema.name = options.schemas[place].name
      return schema
    }
    for schema in read ?? [] where names.insert(schema.name.lowercased()).inserted { schemas.append(schema) }
    return schemas.map(description) + [schemasDescription]
  }

  private nonisolated func description(_ schema: BaasicSchema) -> ResourceDescription {
    ResourceDescription(
      name: schema.name, identifier: IdentifierRule(form: .text), fields: schema.fields, source: schema.source,
      isOpen: true,
      capabilities: Capabilities(
        operations: [.list, .get, .create, .update, .delete], paging: .pageNumber,
        defaultPageSize: BaasicOptions.standardPageSize, hasTotal: true, update: options.replaces ? .replace : .partial)
    )
  }

  private nonisolated var schemasDescription: ResourceDescription {
    ResourceDescription(
      name: "schemas", identifier: IdentifierRule(field: "name", form: .text),
      fields: [
        BaasicSchema.identifier, FieldDescription("name", .text, isRequired: true),
        FieldDescription("description", .text), FieldDescription("enforceSchemaValidation", .boolean),
        FieldDescription("schema", .object, isRequired: true), FieldDescription("ownerId", .text, isReadOnly: true),
        FieldDescription("dateCreated", .date, isReadOnly: true),
        FieldDescription("dateUpdated", .date, isReadOnly: true),
      ],
      capabilities: Capabilities(
        operations: [.list, .get, .create, .update, .delete], paging: .pageNumber,
        defaultPageSize: BaasicOptions.standardPageSize, hasTotal: true, update: .replace, takesIdentifiers: true),
      dependents: [.ofResourceNamed])
  }
}
