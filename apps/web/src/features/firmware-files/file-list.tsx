import { listFirmwareFiles, type FirmwareFileRecord, type FleetRecord } from '@batti/contracts'
import { Link } from 'react-router-dom'
import type { Column } from '#web/ui/data-table/columns.ts'
import { PersonName } from '#web/ui/person-name.tsx'
import { T } from '#web/ui/text.tsx'
import { sizeText } from '#web/lib/i18n/size-words.ts'
import { useList } from '#web/lib/lists/use-list.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import { boardsOn } from '#web/lib/records/use-fleet.ts'
import { DownloadLink } from './components/download-link.tsx'
import { FileSize } from './components/file-size.tsx'
import { FileState } from './components/file-state.tsx'
import { SignedBy, signedByWords } from './components/signed-by.tsx'

export const useFirmwareFileList = () =>
  useList({
    name: 'device-firmware-files',
    route: listFirmwareFiles,
    rows: ({ files }) => files,
    pageSize: 10,
    queryKey: queryKeys.firmwareFiles,
    ownSort: '-version'
  })

export interface FileColumnsOptions {
  /** The number of boards per version; undefined while unknown. */
  versions: FleetRecord['versions'] | undefined
  /** The path of the board list. */
  devicesPath: string
}

/** Returns the list's columns; the number of boards per file comes from the fleet record. */
export function fileColumns({ versions, devicesPath }: FileColumnsOptions): readonly Column<FirmwareFileRecord>[] {
  return [
    { id: 'version', label: 'files.version', width: 115 },
    { id: 'filename', label: 'files.filename', width: 195, card: { line: 2 } },
    {
      id: 'url',
      label: 'files.url',
      value: () => null,
      cell: ({ url, filename }) => <DownloadLink url={url} name={filename} />,
      width: 124,
      card: { line: 4 }
    },
    {
      id: 'state',
      label: 'files.state',
      value: ({ state }, t) => t(`files.state.${state}`),
      cell: ({ state }) => <FileState state={state} />,
      width: 115,
      card: { line: 3 }
    },
    {
      id: 'hwModel',
      label: 'files.model',
      cell: ({ hwModel }) => hwModel ?? <T id="files.anyModel" />,
      words: ({ hwModel }, t) => hwModel ?? t('files.anyModel'),
      width: 130,
      isSpare: true
    },
    {
      id: 'size',
      label: 'files.size',
      cell: ({ size }) => <FileSize bytes={size} />,
      words: ({ size }, _, intl) => sizeText(intl, size),
      width: 90,
      isNumber: true,
      isSpare: true,
      card: { line: 2, isEnd: true }
    },
    {
      id: 'keyId',
      label: 'files.signedBy',
      cell: (file) => <SignedBy file={file} />,
      words: signedByWords,
      width: 140,
      card: { line: 3, isEnd: true }
    },
    {
      id: 'boards',
      label: 'files.boards',
      value: (file) => (versions === undefined ? null : boardsOn(versions, file)),
      cell: (file) => <BoardsOn file={file} versions={versions} devicesPath={devicesPath} />,
      width: 115,
      isNumber: true
    },
    {
      id: 'createdAt',
      label: 'files.uploaded',
      isTime: true,
      more: ({ uploadedBy }) => <PersonName id={uploadedBy} />,
      width: 130,
      card: { line: 4, isEnd: true }
    },
    {
      id: 'sha256',
      label: 'files.sha',
      cell: ({ sha256 }) => `${sha256.slice(0, 4)}…${sha256.slice(-4)}`,
      width: 110,
      isCode: true,
      isExtra: true
    },
    { id: 'secureVersion', label: 'files.secureVersion', width: 120, isNumber: true, isExtra: true }
  ]
}

function BoardsOn({ file, versions, devicesPath }: FileColumnsOptions & { file: FirmwareFileRecord }) {
  if (versions === undefined) return '–'
  const count = boardsOn(versions, file)
  if (count === 0) return count
  const query = new URLSearchParams({
    osVersion: file.version,
    ...(file.hwModel !== null && { hwModel: file.hwModel })
  })
  return (
    <Link to={`${devicesPath}?${query.toString()}`} className="relative z-10 underline underline-offset-4">
      <T id="files.boardCount" values={{ count }} />
    </Link>
  )
}
