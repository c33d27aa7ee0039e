import { crc32 } from 'node:zlib'

/** Makes a zip archive of uncompressed, executable files. */
export function storedZip(files: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const data = Buffer.from(content)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt32LE(crc32(data), 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(data.length, 18)
    common.writeUInt16LE(name.length, 22)
    parts.push(Buffer.from('PK\x03\x04'), common, Buffer.from(name), data)
    const entry = Buffer.alloc(46)
    entry.write('PK\x01\x02')
    // "Made on Unix", so that tools use the mode in the external attributes.
    entry.writeUInt16LE(0x0314, 4)
    common.copy(entry, 6)
    entry.writeUInt32LE(0o100755 * 0x10000, 38)
    entry.writeUInt32LE(offset, 42)
    directory.push(entry, Buffer.from(name))
    offset += 30 + name.length + data.length
  }
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(Object.keys(files).length, 8)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...directory, end])
}
