/// Every dialect of the server: one folder beside this file, one line here.
let dialects: [any Dialect] = [
  GrailsDialect(),
  KituraDialect(),
  JSONPlaceholderDialect(),
  BaasicDialect(),
]
