enum BaasicSwitches {
  static let all = finding + writing + sessions + errors

  private static let finding = [
    Switch(
      name: "baasic.empty", values: .oneOf(["page", "nocontent"]), standard: "page",
      help: "response to a list without records: an empty page, or 204"),
    Switch(
      name: "baasic.maxrpp", values: .number(0...1_000_000), standard: "0",
      help: "maximum page size; 0: no maximum"),
    Switch(
      name: "baasic.hal", values: .oneOf(["embedded", "toplevel"]), standard: "embedded",
      help: "place of the records in application/hal+json: _embedded.item, or item"),
    Switch(
      name: "baasic.dates", values: .oneOf(["kept", "reformatted"]), standard: "kept",
      help: "reformatted: text that looks like ISO 8601 is sent as yyyy-MM-ddTHH:mm:ssZ"),
  ]

  private static let writing = [
    Switch(
      name: "baasic.ids", values: .oneOf(["counted", "random"]), standard: "counted",
      help: "identifiers of new records: the same in each run with the same data, or random"),
    Switch(
      name: "baasic.insert", values: .oneOf(["200", "201"]), standard: "200", help: "status of a create"),
    Switch(
      name: "baasic.patch", values: .oneOf(["204", "200", "405"]), standard: "204",
      help: "response to PATCH: 204, 200 with the record, or 405 without a change"),
    Switch(
      name: "baasic.chunked", values: .oneOf(["411", "400"]), standard: "411",
      help: "status that refuses a chunked request body"),
    Switch(
      name: "baasic.conflict", values: .oneOf(["no", "yes"]), standard: "no",
      help: "yes: creating, updating and patching records fails with a conflict (409)"),
    Switch(
      name: "baasic.bulk", values: .oneOf(["refused", "enabled"]), standard: "refused",
      help: "purge, batch and writes with the parameter query: refused with 403, or done (query is ignored)"),
    Switch(
      name: "baasic.stamps", values: .oneOf(["no", "yes"]), standard: "no",
      help: "yes: records get dateCreated and dateUpdated"),
  ]

  private static let sessions = [
    Switch(
      name: "baasic.anonymous", values: .oneOf(["allowed", "401", "403"]), standard: "allowed",
      help: "response to requests without a token: allowed, or refused with this status"),
    Switch(
      name: "baasic.login", values: .oneOf(["201", "200", "error"]), standard: "201",
      help: "status of a login; error: 200 with an error instead of the token"),
    Switch(
      name: "baasic.lifetime", values: .number(0...10_000_000), standard: "7200",
      help: "seconds that a token is valid after a login, or after a request with a sliding token"),
    Switch(
      name: "baasic.lock", values: .number(0...1000), standard: "5",
      help: "number of wrong passwords in a row that locks a user; 0: never"),
    Switch(
      name: "baasic.tokenerror", values: .oneOf(["details", "header", "oauth"]), standard: "details",
      help: "place of the cause in a 401: details in the body, WWW-Authenticate, or error and error_description"),
  ]

  private static let errors = [
    Switch(
      name: "baasic.failure", values: .oneOf(["no", "yes"]), standard: "no", help: "yes: every request fails with 500"),
    Switch(
      name: "baasic.schemas", values: .oneOf(["allowed", "403", "404"]), standard: "allowed",
      help: "response to requests for the schemas themselves; 403: the user has no permission"),
    Switch(
      name: "baasic.errors", values: .oneOf(["json", "textstatus", "empty", "html"]), standard: "json",
      help: "body of an error: JSON, JSON with statusCode as text, none, or a web page"),
  ]
}
