import { runDiffer } from '../test/differ/differ.ts'

// The long form of test/differ/differ.test.ts: `node packages/embedded-mongo/scripts/differ.ts [operations] [seed]`.
const operations = Number(process.argv[2] ?? 100_000)
const first = Number(process.argv[3] ?? 1)
/** Operations per seed. The seed alone reproduces a fault. */
const each = 5000

const started = performance.now()
for (let done = 0, seed = first; done < operations; done += each, seed++) {
  const difference = await runDiffer({ seed, operations: Math.min(each, operations - done) })
  if (difference !== null) {
    console.error(difference)
    process.exit(1)
  }
  console.log(`seed ${seed}: ${Math.min(done + each, operations)} operations, no difference`)
}
console.log(`${operations} operations in ${Math.round((performance.now() - started) / 1000)} s, no difference`)
