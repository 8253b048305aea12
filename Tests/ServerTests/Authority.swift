import Cryptography
import FoundationEssentials
import Glibc

/// A root, an issuer under it, and certificates of both, made anew for each run.
struct Authority: Sendable {
    private static let path =
        FileManager.default.temporaryDirectory.path + "/server-tests-authority-\(getpid())"

    static let shared = Authority()

    let folder: String

    /// `rsa1024` and `sha1` are weak, `chained` and `withdrawn` come from the issuer, `self` from nobody.
    private init() {
        folder = Self.path
        let script = """
            set -e; mkdir -p \(folder); cd \(folder); ec='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
            openssl req -x509 $ec -keyout root.key -out root.pem -days 2 -subj /CN=Root
            openssl req -x509 $ec -keyout other.key -out other.pem -days 2 -subj /CN=Other
            openssl req -x509 $ec -keyout self.key -out self.pem -days 2 -subj /CN=self -addext subjectAltName=IP:127.0.0.1
            for ca in root issuer; do
              touch $ca.index; echo 01 > $ca.serial; echo 01 > $ca.crlnumber
              { printf "[ca]\\ndefault_ca=c\\n[c]\\ndatabase=$ca.index\\nserial=$ca.serial\\ncrlnumber=$ca.crlnumber\\n"
                printf "new_certs_dir=.\\ndefault_md=sha256\\npolicy=p\\nunique_subject=no\\n[p]\\ncommonName=supplied\\n"
              } > $ca.cnf
            done
            sign() {
              openssl ca -batch -config $1.cnf -in $2.csr -out $2.pem -cert $1.pem -keyfile $1.key -notext \
                -extfile $2.ext -startdate 20200101000000Z -enddate 20491231000000Z $3
            }
            make() {
              openssl req -new ${3:-$ec} -nodes -keyout $2.key -out $2.csr -subj /CN=$2
              echo subjectAltName=IP:127.0.0.1,DNS:localhost > $2.ext
              sign $1 $2 "$4"
            }
            openssl req -new $ec -keyout issuer.key -out issuer.csr -subj /CN=Issuer
            printf 'basicConstraints=critical,CA:TRUE\\nkeyUsage=keyCertSign,cRLSign,digitalSignature\\n' > issuer.ext
            sign root issuer
            make root good; make root client; make root successor; make root revoked
            make root rsa1024 '-newkey rsa:1024'; make root sha1 '' '-md sha1'
            make issuer chained; make issuer withdrawn
            for name in chained withdrawn; do
              openssl ocsp -index issuer.index -rsigner issuer.pem -rkey issuer.key -CA issuer.pem -issuer issuer.pem \
                -cert $name.pem -reqout $name.ocsp-request -no_nonce
            done
            openssl ca -batch -config root.cnf -revoke revoked.pem -cert root.pem -keyfile root.key
            openssl ca -batch -config issuer.cnf -revoke withdrawn.pem -cert issuer.pem -keyfile issuer.key
            for name in chained withdrawn; do
              openssl ocsp -index issuer.index -rsigner issuer.pem -rkey issuer.key -CA issuer.pem -ndays 2 \
                -reqin $name.ocsp-request -respout $name.ocsp
              cat issuer.pem >> $name.pem
            done
            for ca in root issuer; do
              openssl ca -batch -config $ca.cnf -gencrl -crldays 2 -cert $ca.pem -keyfile $ca.key -out $ca.crl
            done
            """
        unsafe system("mkdir -p \(folder); { \(script)\n} > \(folder)/log 2>&1")
        atexit { unsafe system("rm -rf \(Authority.path)") }
    }

    func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
    }

    func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

    func identity(_ name: String) throws -> ClientIdentity {
        try ClientIdentity(
            chain: [Certificate(pem: text("\(name).pem"))],
            key: PrivateKey(pem: text("\(name).key"))
        )
    }
}
