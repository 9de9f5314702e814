extension HelpTopic {
  static let transfer = HelpTopic(
    "transfer", "export, import, copy, diff and sync",
    [
      .text(
        "Fields go to those of the same name. --map maps others; its entries are separated by commas, and can be saved under a\nname in the configuration (\"mappings\")."
      ),
      .table([
        ["title=name", "the field title comes from the field name; parts are written address.city"],
        ["user='ana'", "text; also numbers, true, false and null"],
        ["name=first + ' ' + last", "joins text; adds numbers"],
        ["user=lower(owner)", "an expression: help expressions"],
        ["title=first(title, name, 'none')", "the first that is present and not null"],
        ["note=", "left out"],
      ]),
      .text(
        "title=name renames name; a field used in any other expression is also copied under its own name, if the target has it.\n\nA field that refers to records of another resource has other values in another backend: --map-ref owner=email finds the record\nthere by its email, --map-ref owner= sends the values unchanged. --resources users,todos --key users=email,todos=code transfers\nboth."
      ),
      .text(
        "With --key, the values of these fields identify a record on both sides; they have to be unique. Without it every record is\ncreated. Identifiers are written if the key is the identifier (--key id) or --map makes them, and the service accepts\nthem; those of a file's rows also where the service needs them.\n\nAn empty csv or tsv cell changes nothing in an existing record, unless --empty-clears is given; \"\" in csv is empty\ntext. sync and diff take a file as the source: --from FILE.\n\nEverything is read and checked before the first write. To resume a run that was killed, run the same command again. It\nwaits for requests that may still arrive (--settle), and checks the records whose outcome is unknown;\nthose it cannot resolve are reported and skipped (status 6).\n\nWith --recheck, and always in production, a record is read again just before it is updated or deleted, and left unchanged\n(a conflict) if it has changed since the plan was made."
      ),
    ],
    examples: [
      Command.Example(
        line: "copy todolist placeholder --map \"title=upper(title)\" userId:=1",
        says: "titles in capitals")
    ])
}
