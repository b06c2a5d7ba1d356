import type { Migration } from '../platform/store/schema.ts'
import { dimmerType } from './0001-dimmer-type.ts'
import { fewerLogIndexes } from './0002-fewer-log-indexes.ts'
import { boardsLeftOpen } from './0003-boards-left-open.ts'
import { namesInOneSpelling } from './0004-one-spelling.ts'

/** The migrations in the order in which they run. Add new ones at the end, and never remove one. */
export const migrations: readonly Migration[] = [dimmerType, fewerLogIndexes, boardsLeftOpen, namesInOneSpelling]
