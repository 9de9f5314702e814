enum BaasicSwitches {
  static let all = [
    Switch("baasic.empty", ["page", "nocontent"], "response to a list without records: an empty page, or 204"),
    Switch("baasic.maxrpp", 0...1_000_000, default: 0, "maximum page size; 0: no maximum"),
    Switch(
      "baasic.hal", ["embedded", "toplevel"], "place of the records in application/hal+json: _embedded.item, or item"),
    Switch(
      "baasic.dates", ["kept", "reformatted"],
      "reformatted: text that looks like ISO 8601 is sent as yyyy-MM-ddTHH:mm:ssZ"),
    Switch(
      "baasic.ids", ["counted", "random"],
      "identifiers of new records: the same in each run with the same data, or random"),
    Switch("baasic.insert", ["200", "201"], "status of a create"),
    Switch(
      "baasic.patch", ["204", "200", "405"], "response to PATCH: 204, 200 with the record, or 405 without a change"),
    Switch("baasic.chunked", ["411", "400"], "status that refuses a chunked request body"),
    Switch(
      "baasic.conflict", ["no", "yes"], "yes: creating, updating and patching records fails with a conflict (409)"),
    Switch(
      "baasic.bulk", ["refused", "enabled"],
      "purge, batch and writes with the parameter query: refused with 403, or done (query is ignored)"),
    Switch("baasic.stamps", ["no", "yes"], "yes: records get dateCreated and dateUpdated"),
    Switch(
      "baasic.anonymous", ["allowed", "401", "403"],
      "response to requests without a token: allowed, or refused with this status"),
    Switch(
      "baasic.login", ["201", "200", "error"], "status of a login; error: 200 with an error instead of the token"),
    Switch(
      "baasic.lifetime", 0...10_000_000, default: 7200,
      "seconds that a token is valid after a login, or after a request with a sliding token"),
    Switch("baasic.lock", 0...1000, default: 5, "number of wrong passwords in a row that locks a user; 0: never"),
    Switch(
      "baasic.tokenerror", ["details", "header", "oauth"],
      "place of the cause in a 401: details in the body, WWW-Authenticate, or error and error_description"),
    Switch("baasic.failure", ["no", "yes"], "yes: every request fails with 500"),
    Switch(
      "baasic.schemas", ["allowed", "403", "404"],
      "response to requests for the schemas themselves; 403: the user has no permission"),
    Switch(
      "baasic.errors", ["json", "textstatus", "empty", "html"],
      "body of an error: JSON, JSON with statusCode as text, none, or a web page"),
  ]
}
