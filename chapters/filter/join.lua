-- join.lua - makes one document out of the chapters' parts, for the book as a single file. PARTS names
-- them, in order; each is a document as pandoc's JSON.

function Pandoc(doc)
  doc.blocks = pandoc.List()
  for path in os.getenv('PARTS'):gmatch('%S+') do
    local file = assert(io.open(path))
    doc.blocks:extend(pandoc.read(file:read('a'), 'json').blocks)
    file:close()
  end
  return doc
end
