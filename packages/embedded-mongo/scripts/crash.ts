import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCrashRounds } from '../test/durability/crash-rounds.ts'

// The long form of test/durability/crash.test.ts: `node packages/embedded-mongo/scripts/crash.ts [rounds] [documents]`.
const rounds = Number(process.argv[2] ?? 200)
const ballast = Number(process.argv[3] ?? 100_000)
const data = await mkdtemp(join(tmpdir(), 'batti-crash-'))
try {
  const reports = await runCrashRounds({
    data,
    rounds,
    ballast,
    random: Math.random,
    onRound: (round, report) => {
      if ((round + 1) % 10 === 0)
        console.log(JSON.stringify({ round: round + 1, ...report, startMs: Math.round(report.startMs) }))
    }
  })
  const sum = (field: 'acknowledged' | 'transactions' | 'races'): number =>
    reports.reduce((total, report) => total + report[field], 0)
  const starts = reports.map(({ startMs }) => startMs).toSorted((a, b) => a - b)
  console.log(
    JSON.stringify({
      rounds,
      ballast,
      acknowledgedInserts: sum('acknowledged'),
      committedTransactions: sum('transactions'),
      uniqueRaces: sum('races'),
      startMsMedian: Math.round(starts[Math.floor(starts.length / 2)] ?? 0),
      startMsMax: Math.round(starts.at(-1) ?? 0),
      lost: 0,
      halfApplied: 0
    })
  )
} finally {
  await rm(data, { recursive: true, force: true })
}
