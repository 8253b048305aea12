import AWSSigning

extension Command {
    static let awsSign = Command(
        ["aws", "sign"],
        "sign a request for AWS in its header",
        discussion: [
            "The signed request is written in the form in which it was read, with the fields of the signature at the end of "
                + "its own; those of an earlier signature are replaced.",
            AWSOptions.sources, AWSOptions.secrets, MessageForms.discussion,
        ],
        options: AWSOptions.common + [.flag("fields", "write the added fields only")] + AWSOptions.origin,
        operands: [.message],
        examples: [
            .init(
                purpose: "Sign a request for the service of an API, as a profile says",
                line: "protection aws sign --service execute-api --region eu-west-1 --credentials aws.ini "
                    + "request.http > signed.http"
            ),
            .init(
                purpose: "Show what is signed at a date, for a comparison with what a service computed",
                line: "protection aws sign -v --region us-east-1 --credentials aws.ini "
                    + "--at 2026-01-01T00:00:00Z request.json"
            ),
        ],
        run: { try await AWSCommand.run($0, isPresigning: false) }
    )

    static let awsPresign = Command(
        ["aws", "presign"],
        "sign a request for AWS in its URL",
        discussion: [
            "Whoever has the URL can use it until it ends, without credentials. The fields of the request are signed and must "
                + "be sent with it; the content is signed for services other than object stores, unless "
                + "--unsigned-payload is given.",
            AWSOptions.sources, AWSOptions.secrets, MessageForms.discussion,
        ],
        options: AWSOptions.common + [
            .value("expires", "SECONDS", "how long the URL is good, 1 to 604800; by default 3600"),
            .flag("url", "write the URL only"),
        ] + AWSOptions.origin,
        operands: [.message],
        examples: [
            .init(
                purpose: "Make a URL that is good for five minutes",
                line: "protection aws presign --url --expires 300 --region eu-west-1 --credentials aws.ini "
                    + "request.json"
            )
        ],
        run: { try await AWSCommand.run($0, isPresigning: true) }
    )
}

/// What the commands for AWS share.
enum AWSOptions {
    static let sources =
        "Credentials come from the variables AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, or else from the "
        + "profile that AWS_PROFILE names in the shared files; --profile asks for a profile and --credentials for a file "
        + "in the form of ~/.aws/credentials. The region is that of --region, AWS_REGION, AWS_DEFAULT_REGION or the "
        + "profile."

    static let secrets =
        "No secret is written, and -v shows lengths in place of the values of fields and parameters, but for those that are "
        + "known to hold no secret. But the token of temporary credentials is a "
        + "part of the signed request, so it stands in what is written."

    static let common: [CommandOption] = [
        .value("region", "NAME", "the region, such as eu-west-1"),
        .value("service", "NAME", "the service, such as execute-api; by default s3"),
        .value("r2", "ACCOUNT", "sign for Cloudflare R2, and send to this account unless Host says more"),
        .value("profile", "NAME", "the profile with the credentials"),
        .file("credentials", "the file with the credentials"),
        .flag("unsigned-payload", "leave the content out of the signature"),
        .clock,
        .flag("verbose", short: "v", "show the canonical request and the string to sign on standard error"),
    ]

    static let origin: [CommandOption] = [.scheme, .authority]
}
