package import Cryptography
import Glibc

/// A root, an issuer under it, and certificates of both, made anew for each run by the `openssl` program.
///
/// Each has the name of its files, which end in `.pem` and `.key`. All from the root but these are for 127.0.0.1 and
/// localhost, and in force: `named` is for a.test, `expired` and `early` are not in force, `revoked` is in root.crl,
/// `rsa1024` and `sha1` are weak. `chained` and `withdrawn` come from the issuer and hold it; `alone` is `chained` without
/// the issuer, and `withdrawn` is in issuer.crl. `other` and `self` come from nobody.
package struct CertificateAuthority: Sendable {
    /// What the program said when it failed.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private static let made = Result { try CertificateAuthority() }
    /// The one of this run.
    package static var shared: Self { get throws { try made.get() } }

    /// Where the files are.
    package let folder: TemporaryFolder

    private init() throws {
        folder = try TemporaryFolder()
        let script = """
            set -e; cd \(folder.path); ec='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
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
                -extfile $2.ext -startdate ${start:-20200101000000Z} -enddate ${end:-20491231000000Z} $3
            }
            make() {
              openssl req -new ${3:-$ec} -nodes -keyout $2.key -out $2.csr -subj /CN=$2
              echo subjectAltName=${names:-IP:127.0.0.1,DNS:localhost} > $2.ext
              sign $1 $2 "$4"
            }
            openssl req -new $ec -keyout issuer.key -out issuer.csr -subj /CN=Issuer
            printf 'basicConstraints=critical,CA:TRUE\\nkeyUsage=keyCertSign,cRLSign,digitalSignature\\n' > issuer.ext
            sign root issuer
            for name in good client successor revoked; do make root $name; done
            (names=DNS:a.test; make root named)
            (end=20210101000000Z; make root expired)
            (start=20480101000000Z; make root early)
            make root rsa1024 '-newkey rsa:1024'; make root sha1 '' '-md sha1'
            (names=IP:127.0.0.1,DNS:localhost,DNS:a.localhost,DNS:b.a.localhost; make issuer chained)
            make issuer withdrawn
            cp chained.pem alone.pem; cp chained.key alone.key
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
        guard unsafe system("{ \(script)\n} > \(folder["log"]) 2>&1") == 0 else {
            throw Failure(description: try folder.text("log"))
        }
    }

    package func bytes(_ name: String) throws -> [UInt8] { try folder.bytes(name) }

    package func text(_ name: String) throws -> String { try folder.text(name) }

    package func certificate(_ name: String) throws -> Certificate {
        try Certificate(pem: text("\(name).pem"))
    }

    package func key(_ name: String) throws -> PrivateKey { try PrivateKey(pem: text("\(name).key")) }

    package func identity(_ name: String) throws -> ClientIdentity {
        try ClientIdentity(chain: [certificate(name)], key: key(name))
    }
}
