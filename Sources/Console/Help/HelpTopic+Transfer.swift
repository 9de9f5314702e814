extension HelpTopic {
  static let transfer = HelpTopic(
    "transfer", "export, import, copy, diff and sync",
    [
      .text(
        "A field is copied to the field of the same name. --map maps other names, separated by commas; a mapping can have a name in the\nconfiguration (\"mappings\")."
      ),
      .table([
        ["title=name", "title gets the value of name; address.city is a part of a field"],
        ["user='ana'", "a text for every record; also numbers, true, false and null"],
        ["name=first + ' ' + last", "joins text; adds numbers"],
        ["user=lower(owner)", "an expression: help expressions"],
        ["title=first(title, name, 'none')", "the first that is present and not null"],
        ["note=", "left out"],
      ]),
      .text(
        "title=name renames name. A field in any other expression is also copied under its own name, if the target has that field.\n\nA field that refers to another resource has other values in another backend. --map-ref owner=email finds the record there by its\nemail; --map-ref owner= sends the values unchanged. --resources users,todos --key users=email,todos=code transfers both."
      ),
      .text(
        "--key names the fields whose values identify a record on both sides; they must be unique. Without it, every record is created.\nIf the service lets clients choose identifiers, --key id and --map 'id=FIELD' write them. If it requires clients to choose them,\nthe identifiers in a file are written, too.\n\nAn empty csv or tsv cell leaves an existing record unchanged, unless --empty-clears is given; \"\" in csv is empty text. sync and\ndiff also read a file as the source: --from FILE.\n\nEverything is read and checked before the first write. To resume a run that was killed, run the same command again. It waits for\nrequests that may still arrive (--settle), and checks the records whose outcome is unknown. Those that it cannot settle are\nreported and skipped (status 6).\n\nWith --recheck, and always on production, a record is read again right before it is updated or deleted. If it has changed since\nthe plan, it is not written (a conflict)."
      ),
    ],
    examples: [
      Command.Example(
        line: "copy todolist placeholder --map \"title=upper(title)\" userId:=1",
        says: "titles in capitals")
    ])
}
