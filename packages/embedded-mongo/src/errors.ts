/** MongoDB's error names by code: https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml */
const names = {
  1: 'InternalError',
  2: 'BadValue',
  5: 'GraphContainsCycle',
  9: 'FailedToParse',
  10: 'CannotMutateObject',
  11: 'UserNotFound',
  13: 'Unauthorized',
  14: 'TypeMismatch',
  15: 'Overflow',
  17: 'ProtocolError',
  20: 'IllegalOperation',
  22: 'InvalidBSON',
  26: 'NamespaceNotFound',
  27: 'IndexNotFound',
  28: 'PathNotViable',
  40: 'ConflictingUpdateOperators',
  43: 'CursorNotFound',
  48: 'NamespaceExists',
  50: 'MaxTimeMSExpired',
  52: 'DollarPrefixedFieldName',
  53: 'InvalidIdField',
  56: 'EmptyFieldName',
  59: 'CommandNotFound',
  61: 'ShardKeyNotFound',
  66: 'ImmutableField',
  67: 'CannotCreateIndex',
  72: 'InvalidOptions',
  73: 'InvalidNamespace',
  85: 'IndexOptionsConflict',
  86: 'IndexKeySpecsConflict',
  91: 'ShutdownInProgress',
  112: 'WriteConflict',
  115: 'CommandNotSupported',
  121: 'DocumentValidationFailure',
  125: 'CommandFailed',
  136: 'CappedPositionLost',
  143: 'CursorInUse',
  146: 'ExceededMemoryLimit',
  167: 'OptionNotSupportedOnView',
  171: 'CannotIndexParallelArrays',
  175: 'QueryPlanKilled',
  197: 'InvalidIndexSpecificationOption',
  206: 'NoSuchSession',
  217: 'IncompleteTransactionHistory',
  225: 'TransactionTooOld',
  237: 'CursorKilled',
  238: 'NotImplemented',
  241: 'ConversionFailure',
  246: 'SnapshotUnavailable',
  251: 'NoSuchTransaction',
  256: 'TransactionCommitted',
  257: 'TransactionTooLarge',
  260: 'InvalidResumeToken',
  261: 'TooManyLogicalSessions',
  263: 'OperationNotSupportedInTransaction',
  280: 'ChangeStreamFatalError',
  286: 'ChangeStreamHistoryLost',
  290: 'TransactionExceededLifetimeLimitSeconds',
  292: 'QueryExceededMemoryLimitNoDiskUseAllowed',
  10334: 'BSONObjectTooLarge',
  11000: 'DuplicateKey',
  11601: 'Interrupted',
  14031: 'OutOfDiskSpace'
} as const

const nameOf = (code: number): string =>
  Object.hasOwn(names, code) ? names[code as keyof typeof names] : `Location${code}`

/** An error in MongoDB's format: `{ ok: 0, code, codeName, errmsg, errorLabels, ...details }`. */
export class MongoError extends Error {
  readonly code: number
  readonly codeName: string
  readonly labels: string[]
  readonly details: Record<string, unknown>

  constructor(
    code: number,
    message: string,
    more: { labels?: string[]; details?: Record<string, unknown>; cause?: unknown } = {}
  ) {
    super(message, { cause: more.cause })
    this.name = 'MongoError'
    this.code = code
    this.codeName = nameOf(code)
    this.labels = more.labels ?? []
    this.details = more.details ?? {}
  }

  /** Returns the reply to the client, without the labels that depend on the transaction. */
  reply(): Record<string, unknown> {
    return { ok: 0, errmsg: this.message, code: this.code, codeName: this.codeName, ...this.details }
  }
}

export const badValue = (message: string): MongoError => new MongoError(2, message)
export const failedToParse = (message: string): MongoError => new MongoError(9, message)
export const typeMismatch = (message: string): MongoError => new MongoError(14, message)

/** Returns the error for a missing feature. The engine refuses it with MongoDB's code instead of behaving differently. */
export const unsupported = (what: string): MongoError =>
  new MongoError(
    115,
    `${what} is not supported by Batti's embedded database; run MongoDB and set MONGODB_URI to use it`
  )

export const writeConflict = (): MongoError =>
  new MongoError(
    112,
    'Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or multi-document transaction.'
  )
