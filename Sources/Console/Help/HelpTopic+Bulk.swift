extension HelpTopic {
  static let bulk = HelpTopic(
    "bulk", "commands on several records",
    [
      .text(
        "get, create, update and delete take several records: identifiers, or --from FILE. Each record is a request of its own,\nreported in input order. If one fails, the others are still done, and the status is 5."
      ),
      .table([
        ["--jobs N", "concurrent records: 4 by default; 1 on production, and for create, to keep the order"],
        ["--max-failures N", "start no more records after N failures; those in progress finish"],
        ["--retry N", "retry a record whose failure changed nothing, with increasing delays"],
        ["--rejects FILE", "write the records that were not done to a file, as input for --from"],
        ["--quiet", "failures and the totals only"],
        ["--allow-empty", "accept input without records"],
        [
          "--where CONDITION",
          "update, delete: the matching records, after showing the plan and asking once",
        ],
        ["--dry-run", "show the requests without sending any writes"],
        ["--ignore-not-found", "delete: accept records that do not exist"],
      ]),
      .text(
        "After a 429, the console waits for Retry-After (at most 300 seconds) and sends the record again, up to 20 times, also without\n--retry. If the service is still busy then, no more records are sent, and the status is 4. To limit the requests to a backend,\nset requestsPerSecond and maxConcurrent in the configuration."
      ),
    ],
    examples: [
      Command.Example(
        line: "delete 4 5 99 --yes --ignore-not-found --quiet", says: "99 does not exist")
    ])
}
