import BackendKit

/// Users, roles and what a role or a user may do in a section of the application.
///
/// Routes and bodies as in `user-*.md`, `role-*.md` and `permissions-*.md` of baasic-rest-api, and in `UserRoute`, `RoleRoute` and
/// `PermissionRoute` of baasic-sdk-javascript. The newer clients have roles below `lookups`, the documents had them at the root.
extension BaasicOptions {
  /// The resources, made like the others.
  func membership() throws(BackendError) -> [Service.Resource] {
    let stamps = ["dateCreated", "dateUpdated"].map { FieldDescription($0, .date, isReadOnly: true) }
    var users = try resource(
      "users", at: ["users"], named: "userName",
      fields: [
        BaasicSchema.identifier, FieldDescription("userName", .text, isRequired: true),
        FieldDescription("email", .text, isRequired: true), FieldDescription("name", .text),
        FieldDescription("roles", .list, note: "names; an update replaces them all"),
        FieldDescription("isApproved", .boolean), FieldDescription("isLockedOut", .boolean),
        FieldDescription("password", .text, isSecret: true, note: "of a new user"),
        FieldDescription("confirmPassword", .text, isSecret: true, note: "of a new user"),
        FieldDescription("creationDate", .date, isReadOnly: true),
      ] + stamps)
    // Without it a user comes without roles, and a replacement would take them away.
    users.parameters = [("embed", "roles")]
    users.updating?.reading = users.parameters
    // The response to a creation embeds nothing.
    users.creating?.answer = .identifier(["userName"])
    users.actions = ["lock", "unlock", "approve", "disapprove"].map { name in
      Service.Action(ActionDescription(name, note: "\(name) the user"), method: "PUT", path: [name])
    }
    users.actions.append(
      Service.Action(
        ActionDescription(
          "change-password", fields: [FieldDescription("newPassword", .text, isRequired: true, isSecret: true)],
          note: "change the user's password"), method: "PUT", path: ["change-password"]))
    let roles = try resource(
      "roles", at: ["lookups", "roles"], named: "id",
      fields: [
        BaasicSchema.identifier, FieldDescription("name", .text, isRequired: true),
        FieldDescription("description", .text),
      ] + stamps)
    return [users, roles, try permissions()]
  }

  private func resource(
    _ name: String, at path: [String], named field: String, fields: [FieldDescription]
  ) throws(BackendError) -> Service.Resource {
    var resource = Service.Resource(
      name, at: try RequestPath(segments: path), identifier: IdentifierRule(field: field, form: .text), fields: fields)
    configure(&resource)
    resource.creating = Service.Creating(mayAnswerNothing: true, takesIdentifiers: field != "id")
    // No client patches them.
    resource.updating?.method = nil
    return resource
  }

  /// The sections of the application; what can be done with one is that of the collection, for a section has no record.
  private func permissions() throws(BackendError) -> Service.Resource {
    var sections = Service.Resource(
      "permissions", at: try RequestPath(segments: ["permissions", "sections"]),
      identifier: IdentifierRule(field: "abrv", form: .text),
      fields: ["abrv", "name", "description"].map { FieldDescription($0, .text, isReadOnly: true) })
    configure(&sections)
    // The newer clients read a list without an envelope.
    sections.recordsAt.append([])
    sections.hasItems = false
    sections.paging = .none
    (sections.sorting, sections.updating, sections.deleting) = (nil, nil, nil)
    sections.writePath = try RequestPath(segments: ["permissions"])
    let section = FieldDescription("section", .text, isRequired: true, note: "as list permissions shows it")
    sections.actions = [
      Service.Action(
        ActionDescription(
          "policies", of: .collection, fields: [section], effect: .read, note: "who may do what in a section"),
        method: "GET", path: ["sections", "{section}"]),
      Service.Action(
        ActionDescription(
          "grant", of: .collection,
          fields: [
            section,
            FieldDescription(
              "actions", .list, isRequired: true,
              note: #"[{"abrv": "Read"}]; one or more of Create, Delete, Read and Update"#),
            FieldDescription("role", .text, note: "its name, such as Anonymous"), FieldDescription("userName", .text),
          ], note: "grant actions in a section to a role or a user"), path: []),
      withdrawal("role", below: "roles", section), withdrawal("user", below: "users", section),
    ]
    return sections
  }

  private func withdrawal(_ subject: String, below collection: String, _ section: FieldDescription) -> Service.Action {
    let action = BaasicAccess.withdrawal(from: subject, below: collection)
    var description = action.description
    description.subject = .collection
    description.fields.insert(section, at: 0)
    return Service.Action(
      description, method: "DELETE", path: ["sections", "{section}"] + action.path.dropFirst())
  }
}
