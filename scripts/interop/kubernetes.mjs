// Validates Kubernetes manifests against the schemas of their kinds.
import { readFileSync } from 'node:fs'
import { parseAllDocuments } from 'yaml'

let faults = 0
for (const file of process.argv.slice(2)) {
  for (const document of parseAllDocuments(readFileSync(file, 'utf8'))) {
    const resource = document.toJS()
    const name = `${file}: ${resource.kind} ${resource.metadata?.name}`
    try {
      const module = await import(`kubernetes-models/${resource.apiVersion}/${resource.kind}`)
      const Kind = module[resource.kind] ?? module.default?.[resource.kind]
      new Kind(resource).validate()
    } catch (error) {
      faults += 1
      console.error(`${name}: ${error.message}`)
    }
  }
}
process.exitCode = faults === 0 ? 0 : 1
