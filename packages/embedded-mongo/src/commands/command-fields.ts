import { isDocument, typeName, type Document } from '../bson/document.ts'
import { shellText } from '../bson/shell-text.ts'
import { isNumeric, toNumber } from '../bson/numbers.ts'
import { badValue, failedToParse, MongoError, typeMismatch, unsupported } from '../errors.ts'

const words = (text: string): string[] => text.split(/\s+/).filter(Boolean)

/** Fields of any command: https://www.mongodb.com/docs/manual/reference/command/ and those that drivers add. */
const common =
  words(`$db lsid txnNumber autocommit startTransaction stmtId stmtIds readConcern writeConcern maxTimeMS comment
  $readPreference $clusterTime $audit $client apiVersion apiStrict apiDeprecationErrors maxTimeMSOpOnly rawData`)

/** The fields of commands that MongoDB parses strictly. In other commands it ignores unknown fields. */
const fieldsOfCommands: Readonly<Record<string, string>> = {
  find: `filter sort projection hint skip limit batchSize singleBatch max min returnKey showRecordId tailable oplogReplay
    noCursorTimeout awaitData allowPartialResults collation allowDiskUse let`,
  aggregate: 'pipeline cursor explain allowDiskUse bypassDocumentValidation hint collation let isMapReduceCommand',
  count: 'query limit skip hint collation fields',
  distinct: 'key query collation hint',
  insert: 'documents ordered bypassDocumentValidation',
  update: 'updates ordered bypassDocumentValidation let',
  delete: 'deletes ordered let',
  findAndModify: `query sort remove update new fields upsert bypassDocumentValidation collation arrayFilters hint let`,
  findandmodify: `query sort remove update new fields upsert bypassDocumentValidation collation arrayFilters hint let`,
  getMore: 'collection batchSize term lastKnownCommittedOpTime',
  killCursors: 'cursors',
  createIndexes: 'indexes commitQuorum ignoreUnknownIndexOptions',
  dropIndexes: 'index',
  deleteIndexes: 'index',
  listIndexes: 'cursor',
  listCollections: 'filter nameOnly authorizedCollections cursor',
  listDatabases: 'filter nameOnly authorizedDatabases',
  create: `capped autoIndexId idIndex size max storageEngine validator validationLevel validationAction indexOptionDefaults
    viewOn pipeline collation changeStreamPreAndPostImages timeseries expireAfterSeconds clusteredIndex encryptedFields flags`,
  drop: ''
}

const known = new Map(
  Object.entries(fieldsOfCommands).map(([name, fields]) => [name, new Set([name, ...common, ...words(fields)])])
)

const fieldsOfStatements = {
  updates: new Set(words('q u c multi upsert upsertSupplied collation arrayFilters hint sort sampleId')),
  deletes: new Set(words('q limit collation hint sampleId'))
}

const unknownField = (owner: string, field: string): MongoError =>
  new MongoError(40415, `BSON field '${owner}.${field}' is an unknown field.`)

/** Throws for an unknown field of a command: a typing error must not change the result silently. */
export function checkFields(name: string, command: Document): void {
  const fields = known.get(name)
  if (!fields) return
  for (const field of Object.keys(command)) if (!fields.has(field)) throw unknownField(name, field)
}

const ofStatements = {
  updates: { owner: 'update.updates', required: ['q', 'u'], flags: ['multi', 'upsert'] },
  deletes: { owner: 'delete.deletes', required: ['q', 'limit'], flags: [] }
}

/** Checks a statement: a missing filter must not match everything, and a flag of a wrong type must not count as false. */
export function checkStatementFields(kind: keyof typeof fieldsOfStatements, statement: Document): void {
  const { owner, required, flags } = ofStatements[kind]
  for (const field of Object.keys(statement)) if (!fieldsOfStatements[kind].has(field)) throw unknownField(owner, field)
  for (const field of required)
    if (statement[field] === undefined)
      throw new MongoError(40414, `BSON field '${owner}.${field}' is missing but a required field`)
  for (const field of flags) {
    const value = statement[field]
    if (value !== undefined && typeof value !== 'boolean')
      throw typeMismatch(`BSON field '${owner}.${field}' is the wrong type '${typeName(value)}', expected type 'bool'`)
  }
}

/** Reads a flag of a command that may also be a number. */
export function flagOf(command: Document, field: string): boolean {
  const value = command[field] ?? false
  if (typeof value === 'boolean') return value
  if (isNumeric(value)) return toNumber(value) !== 0
  throw typeMismatch(`BSON field '${field}' is the wrong type '${typeName(value)}', expected a bool or a number`)
}

const readLevels = new Set(['local', 'available', 'majority', 'linearizable', 'snapshot'])
const readFields = new Set(['level', 'afterClusterTime', 'atClusterTime', 'afterOpTime', 'provenance'])

/** https://www.mongodb.com/docs/manual/reference/read-concern/. Snapshot reads are possible only in a transaction. */
export function checkReadConcern({ readConcern }: Document, inTransaction: boolean): void {
  if (readConcern === undefined) return
  if (!isDocument(readConcern)) throw typeMismatch("BSON field 'readConcern' is the wrong type, expected type 'object'")
  for (const field of Object.keys(readConcern)) if (!readFields.has(field)) throw unknownField('readConcern', field)
  const { level, atClusterTime } = readConcern
  if (level !== undefined && (typeof level !== 'string' || !readLevels.has(level)))
    throw badValue(`Enumeration value ${shellText(level)} for field 'readConcern.level' is not a valid value.`)
  if ((level === 'snapshot' && !inTransaction) || atClusterTime !== undefined)
    throw unsupported("the read concern 'snapshot' outside a transaction")
}

const writeFields = new Set(['w', 'j', 'wtimeout', 'fsync', 'getLastError', 'provenance'])
const MAX_MEMBERS = 50

/**
 * Reads a write concern. Every write is acknowledged once it is on the disk, so `w` and `j` change nothing. A concern that
 * a set of one cannot satisfy is reported beside the result, because the write itself is done.
 */
export function writeConcernError({ writeConcern }: Document): Document | null {
  if (writeConcern === undefined) return null
  if (!isDocument(writeConcern))
    throw typeMismatch("BSON field 'writeConcern' is the wrong type, expected type 'object'")
  for (const field of Object.keys(writeConcern)) if (!writeFields.has(field)) throw unknownField('writeConcern', field)
  const { w } = writeConcern
  if (w === undefined || w === 'majority') return null
  if (typeof w === 'string') {
    return {
      code: 79,
      codeName: 'UnknownReplWriteConcern',
      errmsg: `No write concern mode named '${w}' found in replica set configuration`,
      errInfo: { writeConcern }
    }
  }
  if (!isNumeric(w)) throw failedToParse('w has to be a number, string, or object')
  const members = toNumber(w)
  if (!Number.isInteger(members) || members < 0 || members > MAX_MEMBERS)
    throw failedToParse(`w has to be a non-negative number and not greater than ${MAX_MEMBERS}; found: ${members}`)
  if (members <= 1) return null
  return {
    code: 100,
    codeName: 'UnsatisfiableWriteConcern',
    errmsg: 'Not enough data-bearing nodes',
    errInfo: { writeConcern }
  }
}
