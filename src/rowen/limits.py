"""Every limit that Rowen sets, in one place, each with its reason."""

PAGE_BYTES = 256 * 1024 * 1024
"""The largest page that is read. Real pages end around 30 MB; beyond this it is an attack."""

DETECTION_BYTES = 256 * 1024
"""How much of a page the charset detector reads. More does not change its answer, only its time."""

DECLARATION_BYTES = 64 * 1024
"""How far into a page a charset declaration is looked for. Browsers want it in the first 1024
bytes; real pages have long scripts and comments before it."""

SOURCE_BATCH_ROWS = 256
"""How many rows of a Parquet table are read at once: pages may have megabytes each."""

HTTP_HEAD_BYTES = 1024 * 1024
"""How much an archive's record may have for headers before its page; servers stop at 64 KB."""

DEFINITION_BYTES = 64 * 1024 * 1024
"""The largest saved extractor: a dictionary of a million names fits."""

PATTERN_SECONDS = 10.0
"""How long a pattern may work on one page. The engine backtracks, so hostile text could hold it for
years; a sane pattern needs a second for 100 MB."""

PATTERN_WAYS_A_SECOND = 1e7
"""So many ways to match are certainly tried in a second, each step of them on the slowest path. A
page on which a pattern has fewer is not timed."""

NESTING = 32
"""How deep records may nest. Labels come from people, who stop long before."""

HTML_DEPTH = 4096
"""How deep a parsed page may nest; browsers stop at 512."""

HTML_ROOT_ATTRIBUTES = 1_000
"""How many attributes the further `<html>` and `<body>` tags of a parsed page may have. They are
added to the first ones', and each is looked for among all that are there already."""

RELATION_RECORDS = 1_000_000
"""How many records a relation may pair on one page: combinations multiply on hostile text."""

SPOOL_BYTES = 16 * 1024 * 1024
"""How much of an output that has to wait for its end stays in memory; the rest goes to disk."""

ROW_GROUP_ROWS = 20_000
"""The rows of a Parquet row group: as Python objects they take some 50 MB on their way there."""

ROW_GROUP_BYTES = 8 * 1024 * 1024
"""The same for long values: a row group ends after so many bytes of JSON."""

REPORT_PAGE_CHARACTERS = 200_000
"""How much of a page the HTML report shows; of a longer one only what stands around records."""

REPORT_CONTEXT = 2_000
"""How far around a record of a long page the HTML report shows its text."""

REPORT_RECORDS = 1_000
"""How many records of a page the HTML report shows: more make the browser slow."""

REPORT_VALUE_CHARACTERS = 300
"""How much of a value the HTML report puts into a table's cell; the text has the rest."""

REPORT_OVERLAP = 16
"""How many overlapping fields the HTML report marks in one place, innermost first."""

REPORT_CHARACTERS = 32 * 1024 * 1024
"""How long an HTML report gets before further pages are only counted: browsers still open it."""

LEFT_OUT = 12
"""How many examples are left out in turn to estimate how often a wrapper is right: each costs
learning once more."""

PAC_PAGES = 10**12
"""Where the search for the number of example pages ends: nobody labels more."""

PLACES = 20_000
"""How many places of one value on a page are looked at: nobody means one of so many."""

PLACES_COMPARED = 40_000
"""How many places of a field's values are compared by their surroundings; the most visible are.
More take seconds, and occur where nothing tells the records apart."""

PLACES_CROWDED = 400_000
"""With so many places open, values are not compared at all: each record is placed as early as it
can be."""

EXCERPT_RECORDS = 200
"""So many records of a page are searched for a token wrapper; the others only verify it."""

EXCERPT_CHARACTERS = 250_000
"""How much of a page after its last marked record is searched for a token wrapper at first."""

SEARCHED_CHARACTERS = 20_000_000
"""How many characters of examples the tabular classes search for heads, tails, openings and
closings; 12 million took 7 seconds and 0.6 GB. Delimiters that are easy to see, and class LR,
don't need the search."""

JOINT_STARTS = 2_000_000_000
"""How many starts of tail delimiters class HOCLRT looks at where no HLRT wrapper does: seconds. No
shared site needed that search at all."""

FRAME_CHARACTERS = 4096
"""The longest head or tail of N-HLRT and M-HLRT: what isn't told apart by so much is the same on
purpose."""

FRAME_WORK = 4_000_000_000
"""How many characters these classes look through for heads, and for tails: seconds. All places of
pages of 100 KB can be tried, and those next to the records of larger ones."""

FRAME_PAIRS = 20_000
"""How many pairs of a head and a tail they try; only pages that were made to be hard need more."""

PLACEMENT_ROUNDS = 4
"""How often the places of all values are reconsidered. Nearly always the second changes nothing."""

ROW_STEPS = 100_000
"""How many combinations of places are tried for one record before learning asks for offsets."""

INSTANCES = 100_000
"""How many instances a recognizer may find on one page: beyond, it recognizes nothing."""

CORROBORATED_FIELDS = 8
"""How many fields corroboration puts in order by trying all orders: 40,320 of them."""

CONTEXT = 128
"""How far around a recognized value delimiters are looked for; longer ones are not common."""

NOISY_ORDERS = 8
"""How many orders of the fields are tried by learning; a wrong one fails at once."""

NOISY_TRIALS = 20
"""How often pages that don't go together are left out before learning gives up."""

ORDERS = 5_000
"""How many orders of the fields that one page allows are compared with the other pages."""

SHORTEST_MATCH = 100
"""How long an old region must be to be looked for in a run: on pages that repeat themselves much,
shorter ones take longer to find than to extract again."""

REMOVED_CHARACTERS = 256
"""How much of a page must be spared between two parts to extract them one by one: a call of its own
costs an extractor about as much as so many characters."""

TEXT_GROUP_BYTES = 256 * 1024
"""How much text a store writes, and later reads, at once: a changed page costs so much reading."""

TEXTS_HELD_BYTES = 16 * 1024 * 1024
"""How much text is read ahead where pages lie in another order than their texts."""

TEXTS_KEPT_BYTES = 64 * 1024 * 1024
"""How much memory the texts take that a run has read and will work on: they are read but once."""

TEXT_FOLDERS = 8
"""How many folders of earlier texts a snapshot may refer to: so many files are opened to read all
of a partition. Texts in smaller folders are written again."""

PARTITION_BYTES = 32 * 1024 * 1024
"""How much text of a snapshot one partition should hold: it is what a worker has in memory, a few
times over."""

PARTITIONS = 512
"""How many partitions a snapshot has at most: each is an open file while pages are read, and
systems allow a process 1024."""

FAILURES_TOLD = 20
"""How many failed pages of a partition a run's report names; the store keeps all of them."""

REASON_CHARACTERS = 500
"""How much is kept of the reason for which a page failed: an exception may quote the page."""

EXTRACTION_SECONDS = 60.0
"""How long an extractor may take for one page of a run before the page counts as failed."""

CLUSTER_SECONDS = 60.0
"""How long a cluster may be without any worker before a run gives up."""

CLAIM_SECONDS = 300.0
"""After how long without a sign of life a run that writes to object storage counts as dead. It
gives ten in that time; a network that fails for longer costs a run, never a store."""

WORKER_DEATHS = 2
"""How often workers may die at one page before it counts as failed, or at one partition before the
run gives up."""

DEADLY_PAGES = 100
"""On how many pages of a run workers may die or never come back before it gives up: each of them
costs its partition's work anew."""

PLAN_SAMPLE = 8
"""How many changed pages are matched to choose a plan; more change the choice next to never."""

PLAN_RUNS = 4
"""From how many earlier runs (the paper's W) rates are taken."""

WAITING_BYTES = 64 * 1024 * 1024
"""How much text waits in memory, over all partitions, to be written."""

RENAMES_COMPARED = 20_000
"""How many vanished pages, and as many new ones, are compared by fingerprint to find renames."""

LEARNING_SECONDS = 60.0
"""How much of a processor's time one call of `learn` may take, with all that it tries;
`learn(..., seconds=)` sets another. Real pages take fractions of a second, long tables and a page
of 10 MB some seconds. A busy machine must not change what is learned, so the clock on the wall is
only a bound far beyond:"""

LEARNING_WAIT = 10.0
"""So many times as long as its seconds a search may take by the clock: it is waiting then, for a
processor, for memory or for a recognizer that waits itself."""

PROFILE_SECONDS = 10.0
"""The same for the profile of a wrapper's examples, after learning; then the first of them
speak for all. A page takes half a second at most."""

XPATHS_TRIED = 2_000
"""How many XPaths are tried for a field before it counts as one that none finds."""

RECYCLING_LOSS = 0.01
"""How many seconds recycling may lose against extraction from scratch in one partition before the
rest of its pages is extracted from scratch, where the plan was Rowen's own choice."""

PDF_PAGES = 2_000
"""How many pages of a PDF are read; papers have a dozen, theses some hundred."""

PAGE_CHARACTERS = 50_000
"""How many characters of one PDF page are read; a dense one has 10,000. A hundred thousand all over
a page take longer than a page may."""

FLOW_CHARACTERS = 1_000_000
"""How much of a plain text or of an HTML page is read as a paper; papers have 60,000 characters."""

FLOW_LINES = 40_000
"""The same in lines; papers have 700."""

REFERENCE_CHARACTERS = 4_000
"""How much of a reference string is parsed; real ones have a few hundred characters."""

PDF_SECONDS = 10.0
"""How long reading a PDF in a process of its own may take, and beyond it for each page:"""

PDF_PAGE_SECONDS = 0.2
"""Real pages take a fiftieth of a second."""

PDF_MEMORY_BYTES = 1024 * 1024 * 1024
"""How much memory reading a PDF may take; papers take less than a tenth of it."""

PROCESS_START_SECONDS = 60.0
"""How long a process that is to read files may take to start, on a machine that is very busy."""

PROCESS_FILES = 64
"""How many files such a process may have open; it needs a pipe and what it reads just now."""

CPU_GRACE_SECONDS = 5
"""Seconds of CPU that such a process has beyond the time allowed: then it ends even if nobody is
left to end it."""

MESSAGE_HEAD_BYTES = 1024 * 1024
"""How long the structure of a message from such a process may be, without the byte strings beside
it. As objects it takes some twenty times as much; what it names are a dozen forms of a document."""

REPLY_BYTES = 256 * 1024 * 1024
"""How long all byte strings of a message from such a process may be: as much as a document."""

PAPER_HEAD_BYTES = 64 * 1024 * 1024
"""The same as for structures, where a paper comes as one: of 2,000 dense pages it has half."""

STUDIO_HEAD_BYTES = 128 * 1024 * 1024
"""The same for what the studio learns: the records of a thousand pages."""

FRAME_READS = 1000
"""In how many pieces a part of a message may come, and for each so many bytes of it one more:"""

FRAME_READ_BYTES = 1024
"""The system passes on what was written in pieces of 4 KB and more. One who writes byte by byte
wants to keep the reader busy."""

MESSAGES = 100
"""How often work on one document may ask something or allow itself more time; a paper does so five
times."""

FAILURE_CHARACTERS = 10_000
"""How much is told of an error that a process raises; the longest of ours quote a pattern."""

FAILURE_PAGES = 1_000
"""How many pages it may name."""

TRACE_CHARACTERS = 20_000
"""How much is told of the place where an unexpected one was raised."""

SANDBOX_AHEAD = 4
"""How many files for each process are read before the first of them is asked for."""

FRONT_LINES = 1_000
"""How many lines of a paper's front people are looked for on; a list of 3,000 authors has fewer."""

ADDRESSES = 200
"""How many e-mail addresses of a front are given to authors; each is compared with every name."""

MENTIONS = 200
"""How many lines that mention an author are asked how the name divides."""

PART_BYTES = 16 * 1024 * 1024
"""How large a part of a paper that was made before may be once it is unpacked: the lines of the
fullest page that is read take half of it."""

PARTS_BYTES = 16 * 1024 * 1024
"""How much is kept of a document's parts for its near-duplicates, packed: 105 bytes a line are
usual, so that a book of 2,000 pages has less. Of what has more no parts are kept."""

GLANCE_CHARACTERS = 2_000_000
"""How many characters of a PDF are in memory at once, to tell whether it is a near-duplicate before
it is read: 80 MB. A thesis has half of it."""

ID_BYTES = 65_535
"""The longest id of a document in an index of fingerprints: its length is kept in two bytes."""

UPLOAD_BYTES = 256 * 1024 * 1024
"""The largest document that the service takes; theses with many pictures have 100 MB."""

UPLOAD_CHUNK_BYTES = 1024 * 1024
"""How much of an upload is in memory before it is written."""

UPLOAD_IDLE_SECONDS = 30.0
"""How long a client may send nothing of its document before the service hangs up."""

UPLOADS = 64
"""How many uploads the service takes at once; each has a chunk in memory."""

FORM_PARTS = 100
"""How many parts a form may have; one of them is the document."""

FORM_NAME_BYTES = 4096
"""How long the names in a form may be."""

SNIFFED_BYTES = 4096
"""How much of a document is looked at to tell a PDF, HTML or text."""

NAME_CHARACTERS = 255
"""How much is kept of a document's name, and how long an extractor's or an Idempotency-Key is."""

WAITING_READINGS = 256
"""How many readings may wait for a worker of the service; further ones are told to come again."""

RETRY_SECONDS = 5
"""After how long a client that was turned away may come again."""

SHUTDOWN_SECONDS = 30
"""How long the service works on what it has begun after it was told to end."""

DATABASE_SECONDS = 5.0
"""How long the service waits for its database while another program writes to it; backups don't."""

RESERVE_BYTES = 8 * 1024 * 1024
"""The reserve for deletions on the disk of documents: twice what the database's log holds before
it is written to the database, so that this always fits, and some deletions after it."""

RESERVE_PART = 8
"""A small disk has one of so many of its bytes as a reserve."""

NEEDED_BYTES = 16 * 1024 * 1024
"""After a document was refused for want of room, the service is ready again when there is room for
as much, but not more than this: nearly all documents are smaller."""

VERIFIED_SECONDS = 600.0
"""How long a file that was found whole need not be looked at again, unless it changes."""

VERIFIED_FILES = 10_000
"""Of how many files it is remembered when they were found whole."""

READY_SECONDS = 1.5
"""How long readiness waits for any part of the service: it is told within two seconds."""

STORE_SECONDS = 5.0
"""How long one step on object storage may take, beside the time for its bytes; storage that needs
longer is taken for hung, and those who ask next are not kept waiting."""

STORE_REQUEST_SECONDS = 15.0
"""How long all steps together may take that one request waits for; some ten make a document."""

STORE_BYTES_A_SECOND = 1024 * 1024
"""How fast documents come from object storage and go there, at least."""

STORE_LISTING_SECONDS = 300.0
"""How long it may take to list all that a tenant has: a million files take a minute."""

STORE_REST_SECONDS = 1.0
"""How long object storage is not asked after it hung, so that few requests wait for it."""

STORE_STEPS = 128
"""How many steps on object storage are taken at once; those that hang count until they end."""

UPLOAD_BYTES_A_SECOND = 4096
"""How fast a document must come, on the whole; slower ones hold a place that others need."""

NEAR_REPAIRS = 8
"""How many entries of near-duplicates that are gone one request removes before it extracts."""

NEAR_DONORS = 3
"""How many documents that are like a new one are asked for what was made of equal parts: a paper,
its last revision, and one more."""

NEAR_CANDIDATES = 16
"""How many candidates from the tables in Redis are verified; of 3.6 million texts one or two are
near to any other by chance."""

NEAR_BUCKET = 4096
"""How many documents a bucket of the tables in Redis takes: at 3.6 million, 55 are usual. More were
made to be there, and would slow down all who look."""

NEIGHBOURS_AT_ONCE = 4096
"""How many fingerprints are loaded at once when the service starts: others wait milliseconds."""

REGISTERED_BYTES = 8 * 1024 * 1024
"""The largest extractor that is registered over HTTP; it is kept in the database."""

REDIS_SECONDS = 0.5
"""How long the service waits for Redis; a document is read in a second or so without it."""

REDIS_REST_SECONDS = 1.0
"""How long Redis is not asked after it did not answer, so that few requests wait for it."""

RESULT_SECONDS = {
    "text": 6 * 3600,
    "parts": 6 * 3600,
    "header": 24 * 3600,
    "citations": 6 * 3600,
    "body": 6 * 3600,
    "records": 6 * 3600,
    "report": 3600,
}
"""How long Redis keeps results of each kind: citations as long as the paper's service did. Headers
are small, and asked for most."""

FORGOTTEN_LATER = 10_000
"""How many contents that were deleted while Redis did not answer are remembered, to be forgotten
there; beyond, they go when their time is over."""

WORK_CLAIM_SECONDS = 10.0
"""After how long without a sign of life a service that works on a document counts as dead, and
another one takes over; it gives four in that time."""

WORK_POLL_SECONDS = 0.25
"""How often a service looks whether another one is done with a document."""

WORK_WAIT_SECONDS = 120.0
"""How long it waits for that before it does the work itself: reading a document takes seconds, but
it may have to wait for others."""

STORE_THREADS = 32
"""How many threads wait for documents that live on object storage, most of the time."""

COPIES_BYTES = 4 * 1024 * 1024 * 1024
"""How much room copies of documents take on a machine while nobody reads them, where the documents
live on object storage."""

COPY_SECONDS = 3600.0
"""How long such a copy stays that nobody reads: the document may be deleted by another service."""

ARRIVAL_SECONDS = 3600.0
"""After how long a document on its way to object storage counts as given up; the slowest way to
bring the largest one there takes minutes."""

KEY_CLAIM_SECONDS = 30.0
"""How long a service may be busy with an Idempotency-Key on object storage, while it enters a
document whose bytes are there already; then it counts as dead."""

WRITE_TRIES = 20
"""How often a service writes a file whose folder others remove: each time one of them is done."""

KEY_TRIES = 8
"""How often a service that meets another one at an Idempotency-Key tries again."""

STUDIO_FIELDS = 50
"""How many fields a project of the studio may have; the first nine have a key."""

FIELD_CHARACTERS = 100
"""How long a field's name may be in the studio, where it heads a column."""

STUDIO_RECORDS = 20_000
"""How many records may be marked on a page in the studio; a person stops long before."""

STUDIO_PAGES = 1_000
"""How many pages a project of the studio may have: all of them are extracted from at each mark."""

STUDIO_PAGE_BYTES = 16 * 1024 * 1024
"""The largest page that the studio opens; browsers show larger ones slowly or not at all."""

FETCH_SECONDS = 30.0
"""How long fetching a page may take in the studio, redirects and all."""

FETCH_REDIRECTS = 10
"""How often an address may send on to another one."""

URL_CHARACTERS = 8_000
"""How long an address may be that the studio fetches; servers take no longer ones."""

FETCHES = 8
"""How many pages the studio fetches at once."""

STUDIO_PROJECTS = 10_000
"""How many projects one studio keeps."""

VIEW_DEPTH = 500
"""How deep the studio's view of a page nests; browsers stop at 512 when they parse."""

STUDIO_SECONDS = 20.0
"""How much processor time learning may take in the studio, where somebody waits for it."""

CONFLICT_SECONDS = 8.0
"""How long the studio looks for the marks because of which no wrapper fits."""

STUDIO_PROCESSES = 2
"""How many processes learn for the studio at once; one proposes while the other judges."""

STUDIO_MEMORY_BYTES = 2 * 1024 * 1024 * 1024
"""How much memory each of them may take: all pages of a project, and what is learned from them."""

STUDIO_CHANGES = 50
"""How many records that came or went the studio shows of a page."""

TOKENS_BYTES = 16 * 1024 * 1024
"""The largest file of tokens: some 50,000 of them."""

TOKENS_SECONDS = 0.5
"""How long a token may be of use after it was removed: the file is looked at so often."""

FAILED_ATTEMPTS = 60
"""How many requests a minute without a good token are answered for one address, before they are
only told to wait. Tokens can't be guessed; this saves the log."""

RATED = 10_000
"""Of how many tokens, and of how many addresses, it is remembered how often they came."""

OPEN_REALMS = 64
"""How many tenants' stores are open at once: each has some connections, with a cache each."""

JOBS = 1_000
"""How many jobs of a realm may be under way; further ones are told to come again."""

FAILED_JOBS = 1_000
"""Of how many failed jobs of a realm the reason is remembered, and for how many seconds:"""

JOB_SECONDS = 600.0
"""A client that asks later has its job begun anew."""

JOB_WAIT_SECONDS = 0.05
"""How long a request for a job waits: what is kept is there by then, and need not be asked for
again."""

LONGEST_WAIT_SECONDS = 60
"""How long a client may ask to be kept waiting (`Prefer: wait`) before it is given a job."""

POLL_SECONDS = 1
"""After how long a client may ask for its job again."""

CONNECTIONS = 512
"""How many connections the service has at once: systems allow a process 1024 files."""

CONNECTIONS_PER_ADDRESS = 128
"""How many of them one address may have: a quarter, so that no single one keeps others out, and
enough for a program that sends as many documents at once as are taken (64)."""

HEAD_BYTES = 64 * 1024
"""How much a request may have before its body: address and headers."""

HEAD_SECONDS = 10.0
"""How long that may take to come, from the connection's or the request's beginning."""

LINGER_SECONDS = 5.0
"""How long a client may go on sending a request that was answered before it was whole."""

SEND_SECONDS = 30.0
"""How long a client may take nothing of its answer before the service hangs up."""

PIPELINED_REQUESTS = 16
"""How many requests a client may send before the first of them is answered."""

CLIENT_SECONDS = 300.0
"""How long a client waits for an answer; a paper of many pages on a busy service takes minutes."""

CLIENT_CONNECT_SECONDS = 10.0
"""How long it waits for a connection, which a service that is there gives at once."""

CLIENT_RETRIES = 4
"""How often it asks again after a lost connection or where it was told to come again."""

CLIENT_PAUSE_SECONDS = (0.25, 8.0)
"""How long it waits before that at first, doubled each time, and at most."""

CLIENT_PATIENCE_SECONDS = 60.0
"""The longest `Retry-After` that it obeys; its caller decides about longer ones."""

HOT_BYTES = 32 * 1024 * 1024
"""How much memory the service gives to answers that are asked for again and again."""

HOT_ANSWER_BYTES = 1024 * 1024
"""The largest of them; larger ones take their time anyway."""
