import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { compileAccumulator } from '../src/aggregation/stages/accumulators.ts'
import { compileExpression } from '../src/aggregation/expressions/expression.ts'
import { compilePipeline } from '../src/aggregation/stages/pipeline.ts'
import type { PipelineOptions } from '../src/aggregation/stages/stage.ts'
import { compareText } from '../src/bson/compare.ts'
import { commandsByName, refusedCommands } from '../src/commands/registry.ts'
import { MongoError } from '../src/errors.ts'
import { parseFilter } from '../src/query/filter.ts'
import { createMemory } from '../src/storage/memory.ts'
import { createScratch } from '../src/storage/scratch.ts'
import { operators } from '../src/update/operators.ts'

// The table of the README says what the engine supports and refuses. Here the names in MongoDB 8.0's manual are
// compared with the engine, and the engine's answers with the table.

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
const rows = new Map(
  readme
    .slice(readme.indexOf('## What it supports'), readme.indexOf('## Limits'))
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| | '))
    .map((line) => line.split(' | ').map((cell) => cell.replaceAll(/^\| |\|$/g, '').trim()))
    .map(([name = '', supported = '', refused = '']) => [name, { supported, refused }])
)
/** The names in code marks of a cell: `$a $b`, `find`. */
const namesIn = (cell: string): string[] =>
  [...cell.matchAll(/`([^`]*)`/g)].flatMap(([, code = '']) => code.match(/\$?[A-Za-z]\w*/g) ?? [])
function row(name: string): { supported: string[]; refused: string[] } {
  const found = rows.get(name)
  if (!found) throw new Error(`the README has no row ${name}`)
  return { supported: namesIn(found.supported), refused: namesIn(found.refused) }
}
const words = (text: string): string[] => text.split(/\s+/).filter(Boolean)

const options: PipelineOptions = {
  now: new Date(0),
  let: {},
  text: compareText,
  random: () => 0,
  memory: createMemory(),
  scratch: createScratch(''),
  read: () => [][Symbol.iterator]() as never
}

/** The engine's answer to a name: supported, refused, or unknown. */
function verdict(attempt: () => unknown, unknownCodes: readonly number[]): 'done' | 'refused' | 'unknown' {
  try {
    attempt()
    return 'done'
  } catch (error) {
    if (!(error instanceof MongoError)) throw error
    if (error.code === 115) return 'refused'
    // Any other error is about the missing argument: the name is known.
    return unknownCodes.includes(error.code) ? 'unknown' : 'done'
  }
}

const stages =
  words(`$addFields $bucket $bucketAuto $changeStream $changeStreamSplitLargeEvent $collStats $count $currentOp
  $densify $documents $facet $fill $geoNear $graphLookup $group $indexStats $limit $listClusterCatalog $listLocalSessions
  $listSampledQueries $listSearchIndexes $listSessions $lookup $match $merge $out $planCacheStats $project $querySettings
  $queryStats $redact $replaceRoot $replaceWith $sample $search $searchMeta $set $setWindowFields $shardedDataDistribution
  $skip $sort $sortByCount $unionWith $unset $unwind $vectorSearch`)
const expressions = words(`$abs $accumulator $acos $acosh $add $allElementsTrue $and $anyElementTrue $arrayElemAt
  $arrayToObject $asin $asinh $atan $atan2 $atanh $avg $binarySize $bitAnd $bitNot $bitOr $bitXor $bsonSize $ceil $cmp $concat
  $concatArrays $cond $convert $cos $cosh $dateAdd $dateDiff $dateFromParts $dateFromString $dateSubtract $dateToParts
  $dateToString $dateTrunc $dayOfMonth $dayOfWeek $dayOfYear $degreesToRadians $divide $eq $exp $filter $first $firstN $floor
  $function $getField $gt $gte $hour $ifNull $in $indexOfArray $indexOfBytes $indexOfCP $isArray $isNumber $isoDayOfWeek
  $isoWeek $isoWeekYear $last $lastN $let $literal $ln $log $log10 $lt $lte $ltrim $map $max $maxN $median $mergeObjects $meta
  $millisecond $min $minN $minute $mod $month $multiply $ne $not $objectToArray $or $percentile $pow $radiansToDegrees $rand
  $range $reduce $regexFind $regexFindAll $regexMatch $replaceAll $replaceOne $reverseArray $round $rtrim $sampleRate $second
  $setDifference $setEquals $setField $setIntersection $setIsSubset $setUnion $sin $sinh $size $slice $sortArray $split $sqrt
  $stdDevPop $stdDevSamp $strLenBytes $strLenCP $strcasecmp $substr $substrBytes $substrCP $subtract $sum $switch $tan $tanh
  $toBool $toDate $toDecimal $toDouble $toHashedIndexKey $toInt $toLong $toLower $toObjectId $toString $toUUID $toUpper $trim
  $trunc $tsIncrement $tsSecond $type $unsetField $week $year $zip`)
const accumulators =
  words(`$accumulator $addToSet $avg $bottom $bottomN $count $first $firstN $last $lastN $max $maxN $median
  $mergeObjects $min $minN $percentile $push $stdDevPop $stdDevSamp $sum $top $topN`)
const updates = words(
  '$addToSet $bit $currentDate $inc $max $min $mul $pop $pull $pullAll $push $rename $set $setOnInsert $unset'
)
const topQueries = words('$and $comment $expr $jsonSchema $nor $or $sampleRate $text $where')
const fieldQueries =
  words(`$all $bitsAllClear $bitsAllSet $bitsAnyClear $bitsAnySet $elemMatch $eq $exists $geoIntersects
  $geoWithin $gt $gte $in $lt $lte $mod $ne $near $nearSphere $nin $not $regex $size $type`)

const judgeStage = (name: string): string =>
  ['$changeStream', '$collStats', '$documents', '$merge', '$out'].includes(name)
    ? 'done' // Handled by the command, not by the pipeline: the conformance tests run them.
    : verdict(() => compilePipeline([{ [name]: 1 }], options), [40324])
const judgeExpression = (name: string): string => verdict(() => compileExpression({ [name]: 1 }, options), [168])
const judgeAccumulator = (name: string): string =>
  verdict(() => {
    if (!compileAccumulator(name, 1, options)) throw new MongoError(15952, 'none')
  }, [15952])
function judgeQuery(name: string): string {
  const query = topQueries.includes(name) ? { [name]: 1 } : { field: { [name]: 1 } }
  try {
    parseFilter(query)
    return 'done'
  } catch (error) {
    if (!(error instanceof MongoError)) throw error
    return error.code === 115 ? 'refused' : error.message.startsWith('unknown') ? 'unknown' : 'done'
  }
}

describe('the table of the README', () => {
  it.each([
    ['Stages', stages, judgeStage],
    ['Accumulators', accumulators, judgeAccumulator],
    ['Query operators', [...topQueries, ...fieldQueries], judgeQuery]
  ] as const)('says of %s what the engine says', (name, known, judge) => {
    const { supported, refused } = row(name)
    const judged = known.map((one) => [one, judge(one)] as const)
    const names = (wanted: string): string[] => judged.flatMap(([one, answer]) => (answer === wanted ? [one] : []))
    expect(names('unknown')).toEqual([])
    expect(supported.filter((one) => one.startsWith('$')).toSorted()).toEqual(names('done').toSorted())
    expect(refused.filter((one) => one.startsWith('$')).toSorted()).toEqual(names('refused').toSorted())
  })

  it('names every expression that is refused; the rest are supported', () => {
    const refused = expressions.filter((name) => judgeExpression(name) === 'refused')
    expect(expressions.filter((name) => judgeExpression(name) === 'unknown')).toEqual([])
    expect(row('Expressions').refused).toEqual(expect.arrayContaining(refused))
    // The others in the cell are refused for some of their arguments, with the reason.
    const inPart = [
      '$dateAdd',
      '$dateSubtract',
      '$dateDiff',
      '$dateTrunc',
      '$dateFromParts',
      '$dateFromString',
      '$convert'
    ]
    expect(row('Expressions').refused.toSorted()).toEqual([...refused, ...inPart].toSorted())
  })

  it('names the update operators', () => {
    expect([...Object.keys(operators), '$rename'].toSorted()).toEqual(updates)
    expect(row('Update operators').supported).toEqual(expect.arrayContaining(updates))
  })

  it('names every supported command, and every refused one', () => {
    const cells = ['Documents', 'Collections and indexes', 'Transactions', 'Server'].map(row)
    const refused = cells.flatMap((cell) => cell.refused)
    expect(refused).toEqual(expect.arrayContaining([...refusedCommands]))
    // MongoDB's alternative names of a few are omitted from the table.
    const spellings = new Set(['findandmodify', 'deleteIndexes', 'ismaster', 'buildinfo', 'dbstats'])
    const done = [...commandsByName.keys()].filter((name) => !refusedCommands.includes(name) && !spellings.has(name))
    const supported = new Set(cells.flatMap((cell) => cell.supported))
    expect(done.filter((name) => !supported.has(name))).toEqual([])
    const commands = cells.flatMap((cell) => cell.supported).filter((name) => /^[a-z][A-Za-z]*$/.test(name))
    const others = new Set(['w', 'TransientTransactionError'])
    expect(commands.filter((name) => !others.has(name) && !commandsByName.has(name))).toEqual([])
  })
})
